/* Proves claims beside the page: Python, SymPy and the derivations come in one stream, and nothing is fetched.
   A page that is opened from a folder may not ask for files, so what Pyodide asks for is answered from memory. */
const HERE = "https://in.memory/";

async function unpack(stream, listed) {
  const opened = new Blob([stream]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(opened).arrayBuffer());
  let from = 0;
  return Object.fromEntries(listed.map(([name, length]) => [name, bytes.slice(from, (from += length))]));
}

const imported = (bytes) => import(URL.createObjectURL(new Blob([bytes], { type: "text/javascript" })));

async function begin({ stream, files }) {
  const found = await unpack(stream, files);
  const types = { wasm: "application/wasm", zip: "application/zip" };
  self.fetch = async (asked) => {
    const name = String(asked.url ?? asked).slice(HERE.length);
    if (!found[name]) throw new TypeError(`${name} is not in the book`);
    return new Response(found[name], { headers: { "content-type": types[name.split(".").pop()] ?? "text/plain" } });
  };
  self.importScripts = undefined; // Pyodide wants a module for its worker, and a page in a folder may begin none
  const { loadPyodide } = await imported(found["pyodide.mjs"]);
  const { default: createPyodideModule } = await imported(found["pyodide.asm.mjs"]);
  const lockFileContents = new TextDecoder().decode(found["pyodide-lock.json"]);
  const python = await loadPyodide({ indexURL: HERE, createPyodideModule, lockFileContents });
  self.postMessage({ at: "python" });
  python.unpackArchive(found["packages.zip"].buffer, "zip", { extractDir: "/packages" });
  return python.runPython("import sys; sys.path.insert(0, '/packages'); from in_page import check_json\nimport lessons_lib.symbolic\ncheck_json");
}

let ready;
self.onmessage = async ({ data }) => {
  try {
    if (data.stream) ready = begin(data);
    const check = await ready;
    self.postMessage(data.cell === undefined ? { at: "ready" } : { at: "answer", id: data.id, ...JSON.parse(check(data.program, data.cell)) });
  } catch (error) {
    self.postMessage({ at: "answer", id: data.id, tone: "open", verdict: `The browser could not run it: ${error}` });
  }
};
