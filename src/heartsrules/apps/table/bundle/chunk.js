var n=new URL("../rules/",import.meta.url).href;async function r(e,a){let t=await fetch(n+e);if(!t.ok)throw new Error(`${t.url}: ${t.status}`);return new Response(t.body.pipeThrough(new DecompressionStream("gzip")),{headers:{"Content-Type":a}})}async function p(e,a){return URL.createObjectURL(await(await r(e,a)).blob())}async function m(){let e=r("python.wasm.bin","application/wasm"),a=p("library.zip.bin","application/zip"),t=p("pyodide.asm.mjs.bin","text/javascript").then(i=>import(i)),{loadPyodide:c,version:h}=await import(`${n}pyodide.mjs`),s=self.fetch;self.fetch=(i,d)=>String(i).endsWith("pyodide.asm.wasm")?e:s(i,d);let o=await c({indexURL:n,createPyodideModule:(await t).default,stdLibURL:await a});return self.fetch=s,o.runPython(`
def unpack():
    import os, sys, zipimport
    archive = zipimport.zipimporter(next(path for path in sys.path if path.endswith(".zip")))
    for name in archive.get_data("native.txt").decode().split():
        path = "/lib/native/" + name
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(archive.get_data("native/" + name))
    sys.path.append("/lib/native")

unpack()
del unpack
`),o}export{m as a};
