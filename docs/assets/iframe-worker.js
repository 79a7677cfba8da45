// Lets the search run on pages opened from a disk, where browsers start no Worker: its script runs in a hidden frame, and
// messages go to and fro as with a Worker. Named so that mkdocs-material's plugin "offline" takes it in place of another
// that it would fetch from a server.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = "<!doctype html>";
      this.inside = new Promise((ready) => {
        frame.addEventListener("load", () => this.run(frame.contentWindow, url, ready), { once: true });
      });
      document.body.append(frame);
    }

    run(inside, url, ready) {
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      script.src = url;
      script.addEventListener("load", () => ready(inside));
      inside.document.body.append(script);
    }

    async postMessage(data) {
      const inside = await this.inside;
      inside.dispatchEvent(new inside.MessageEvent("message", { data }));
    }
  };
}
