var a=new URL("../rules/",import.meta.url).href;async function p(n,t="application/json"){let e=await fetch(n);if(!e.ok||!e.body)throw new Error(`${e.url}: ${e.status}`);return new Response(e.body.pipeThrough(new DecompressionStream("gzip")),{headers:{"Content-Type":t}})}async function s(n,t){return URL.createObjectURL(await(await p(a+n,t)).blob())}async function h(){let n=p(`${a}python.wasm.bin`,"application/wasm"),t=s("library.zip.bin","application/zip"),e=s("pyodide.asm.mjs.bin","text/javascript"),d=e.then(i=>import(i)),{loadPyodide:c}=await import(`${a}pyodide.mjs`),r=self.fetch;self.fetch=(i,m)=>String(i).endsWith("pyodide.asm.wasm")?n:r(i,m);let o;try{o=await c({indexURL:a,createPyodideModule:(await d).default,stdLibURL:await t})}finally{self.fetch=r;for(let i of[t,e])i.then(URL.revokeObjectURL,()=>{})}return o.runPython(`
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
`),o}export{p as a,h as b};
