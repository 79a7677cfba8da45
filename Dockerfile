# Braid with its Python package: the two commands of docs/python.md on a bare Debian.
#   docker build -t braid . && docker run --rm braid run tb/experiments/mesh_uniform.toml
FROM debian:bookworm-slim
COPY . /braid
WORKDIR /braid
RUN scripts/setup packages
RUN python3 -m venv /opt/braid && /opt/braid/bin/pip install '.[all]'
ENV PATH=/opt/braid/bin:$PATH
ENTRYPOINT ["braid"]
