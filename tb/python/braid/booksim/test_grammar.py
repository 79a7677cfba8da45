"""The two forms of BookSim's configuration files, and where a mistake stands."""

import pytest
from braid.booksim.configuration import parts_of
from braid.booksim.grammar import setting_of_word, settings_of
from braid.errors import InputError

FILE = """// a comment; with = signs
topology = mesh;   k=4 ;
traffic = hotspot({{1,2},{3,1}}); // behind a value
injection_rate = {0.1,.25};
watch_out=-;
output_buffer_size = -1; latency_thres = 1e3;
packet_size =
  {{1,2},4};
"""
SECTIONS = """; a comment of this form
# another
[config]
topology = fly
  k=12
network_file = /some where else/file
"""


def pairs(text: str) -> list[tuple[str, str]]:
    return [(setting.key, setting.text) for setting in settings_of(text, "file")]


def test_commands_with_words_numbers_and_lists() -> None:
    assert pairs(FILE) == [
        ("topology", "mesh"),
        ("k", "4"),
        ("traffic", "hotspot({{1,2},{3,1}})"),
        ("injection_rate", "{0.1,.25}"),
        ("watch_out", "-"),
        ("output_buffer_size", "-1"),
        ("latency_thres", "1e3"),
        ("packet_size", "{{1,2},4}"),
    ]


def test_where_each_key_stands() -> None:
    places = {setting.key: str(setting.place) for setting in settings_of(FILE, "mine.cfg")}
    assert places["topology"] == "mine.cfg:2:1"
    assert places["k"] == "mine.cfg:2:20"
    assert places["packet_size"] == "mine.cfg:7:1"


def test_sections_of_lines() -> None:
    text = SECTIONS.replace(" where else", "")
    assert pairs(text) == [("topology", "fly"), ("k", "12"), ("network_file", "/some/file")]
    assert str(settings_of(text, "f")[1].place) == "f:5:3"


def test_an_empty_file_says_nothing() -> None:
    assert pairs("") == pairs("// nothing\n") == pairs("[config]\n") == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("k 4;", 'f:1:3: expected "=", found "4;"'),
        ("k = 4\nn = 2;", 'f:2:1: expected ";", found "n"'),
        ("k = 4", 'f:1:6: expected ";", found the end'),
        ("k = ;", 'f:1:5: expected a value, found ";"'),
        ("traffic = {a, b};", 'f:1:11: expected a value, found "{a,"'),
        ("4 = k;", 'f:1:1: expected a key, found "4"'),
        ('traffic = "uniform";', "f:1:11: expected a value, found"),
        ("k = 5abc;", 'f:1:6: expected ";", found "abc;"'),
        ("\x00", "f:1:1: expected a key"),
        (SECTIONS, 'f:6:1: network_file: found "/some where else/file"'),
        ("[config]\nk 4\n", 'f:2:1: found "k 4"; expected KEY = VALUE'),
        ("[config]\nk = 4;\n", 'f:2:1: k: found "4;"; expected a number'),
    ],
)
def test_what_is_wrong_and_where(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as error:
        settings_of(text, "f")
    assert complaint in str(error.value)
    assert error.value.status == 2


def test_words_of_the_command_line() -> None:
    assert (setting_of_word("k=4").key, setting_of_word("k=4").text) == ("k", "4")
    assert setting_of_word("packet_size={{1,2},4}").text == "{{1,2},4}"
    for word in ("k=", "=4", "k=4;n=2", "k=4 5"):
        with pytest.raises(InputError) as error:
            setting_of_word(word)
        assert str(error.value).startswith(f"{word}: expected")


def test_parts_of_lists_of_lists() -> None:
    assert parts_of("{{1,2},4}") == ["{1,2}", "4"]
    assert parts_of("{uniform,hotspot({{1},{2}})}") == ["uniform", "hotspot({{1},{2}})"]
    assert parts_of("7") == ["7"]
    assert parts_of("") == []
