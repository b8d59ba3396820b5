/* A claim is checked in the page: its cell in a small editor, and Python with SymPy in a worker. They come from the
   book's own files, as scripts, because a page that is opened from a folder may load nothing else; none comes before
   somebody asks for it. What runs can be stopped: its worker ends, and the next check begins another. */
{
  const { src, dataset } = document.currentScript;
  const folder = new URL(`${dataset.folder}/`, src);
  const load = (name) =>
    new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = new URL(name, folder);
      script.addEventListener("load", done);
      script.addEventListener("error", () => failed(new Error(`${name} is missing beside the page`)));
      document.head.append(script);
    });

  let index = null;
  let bytes = null; // what the worker begins with; read once a page
  let worker = null;
  let begun = null;
  let asked = 0;
  const waiting = new Map(); // from the number of a question to who gets its answer
  let progress = () => {};

  const readAll = async () => {
    const pieces = [];
    window.provesHere = {
      begin: (told) => { index = told; },
      piece: (place, text) => { pieces[place] = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)); },
    };
    await load("index.js");
    for (let place = 0; place < index.pieces; place++) {
      await load(`${place}.js`);
      progress((0.5 * (place + 1)) / index.pieces, "Loading Python and SymPy from the book");
    }
    return new Blob(pieces);
  };

  const stop = (tone, verdict) => {
    if (worker) {
      worker.terminate();
      worker = null;
      begun = null;
    }
    for (const answer of waiting.values()) answer({ tone, verdict });
    waiting.clear();
  };

  const begin = async () => {
    bytes ??= await readAll();
    progress(0.55, "Starting Python");
    worker = new Worker(URL.createObjectURL(new Blob([index.worker], { type: "text/javascript" })));
    worker.addEventListener("message", ({ data }) => {
      if (data.at === "python") progress(0.75, "Loading SymPy");
      else if (data.at === "ready") progress(1, "Proving");
      else {
        waiting.get(data.id)?.(data);
        waiting.delete(data.id);
      }
    });
    worker.addEventListener("error", ({ message }) => stop("open", `The browser could not run it: ${message}`));
    worker.postMessage({ stream: bytes, files: index.files });
  };

  const check = (told) =>
    new Promise((answer) => {
      const id = asked++;
      waiting.set(id, answer);
      begun ??= begin();
      begun.then(
        () => waiting.has(id) && worker.postMessage({ id, ...told }),
        (error) => {
          begun = null;
          stop("open", `It cannot be checked here: ${error.message}.`);
        },
      );
    });

  const made = (tag, properties = {}, ...inside) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...inside);
    return node;
  };
  const inFormulas = (text) => text.replaceAll("`", "").replace(/\$([^$]+)\$/g, "\\($1\\)");

  const shown = ({ verdict, why, sentence, formula, scope, checked, printed }) => [
    made("p", {}, made("strong", { textContent: verdict }), ...(why ? [` ${why}`] : [])),
    ...(sentence ? [made("p", { textContent: inFormulas(sentence) })] : []),
    ...(formula ? [made("div", { className: "math", textContent: `\\[${formula}\\]` })] : []),
    ...(scope ? [made("p", { textContent: inFormulas(scope) })] : []),
    ...(checked ? [made("p", { textContent: `Checked with SymPy on this page: ${checked}` })] : []),
    ...(printed ? [made("pre", { textContent: printed })] : []),
  ];

  const editor = (told, named) => {
    const text = made("textarea", { value: told.cell, spellcheck: false, rows: told.cell.split("\n").length + 1, wrap: "off" });
    text.setAttribute("aria-label", `The cell of ${named}, which you can edit`);
    text.setAttribute("autocapitalize", "off");
    const prove = made("button", { type: "button", textContent: "Prove it" });
    const halt = made("button", { type: "button", textContent: "Stop", hidden: true });
    const back = made("button", { type: "button", textContent: "Reset" });
    const bar = made("progress", { max: 1, value: 0, hidden: true });
    const doing = made("span", { className: "check-doing" });
    const said = made("div", { className: "check-said tex2jax_process" });
    said.setAttribute("role", "status");
    said.setAttribute("aria-live", "polite");
    bar.setAttribute("aria-label", "Loading progress");
    const above = made("details", {}, made("summary", { textContent: "Code from the cells above" }), made("pre", { textContent: told.program, tabIndex: 0 }));
    const run = async () => {
      if (prove.disabled) return;
      halt.hidden = false;
      if (document.activeElement === prove) halt.focus(); // a disabled button loses the focus to the page
      prove.disabled = true;
      said.replaceChildren();
      doing.textContent = "Proving";
      progress = (part, words) => {
        bar.hidden = part === 1;
        bar.value = part;
        doing.textContent = words;
      };
      const answer = await check({ program: told.program, cell: text.value });
      bar.hidden = true;
      prove.disabled = false;
      if (document.activeElement === halt) prove.focus(); // so does a hidden one
      halt.hidden = true;
      doing.textContent = "";
      said.dataset.tone = answer.tone;
      said.replaceChildren(...shown(answer));
      await window.MathJax?.typesetPromise?.([said]);
    };
    prove.addEventListener("click", run);
    halt.addEventListener("click", () => stop("open", "Stopped."));
    back.addEventListener("click", () => {
      text.value = told.cell;
      said.replaceChildren();
      text.focus();
    });
    text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.shiftKey || event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      run();
    });
    const row = made("div", { className: "check-row" }, prove, halt, back, bar, doing);
    return { part: made("div", { className: "check-panel" }, text, row, said, above), run, text };
  };

  document.addEventListener("DOMContentLoaded", () => {
    for (const host of document.querySelectorAll(".check-here")) {
      const told = JSON.parse(host.firstElementChild.textContent);
      const named = host.closest(".claim")?.querySelector("strong")?.textContent.replace(".", " ").trim() ?? "your claim";
      const open = made("button", { type: "button", textContent: told.button });
      open.setAttribute("aria-expanded", "false");
      let made_ = null;
      open.addEventListener("click", () => {
        const first = made_ === null;
        made_ ??= editor(told, named);
        if (first) host.append(made_.part);
        made_.part.hidden = !first && !made_.part.hidden;
        open.setAttribute("aria-expanded", String(!made_.part.hidden));
        if (first) made_.run();
      });
      host.append(open);
    }
  });
}
