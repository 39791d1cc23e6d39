var c=new URL("../rules/",import.meta.url).href,f="heartsrules.apps.table.in_page";async function m(e,t){let a=await fetch(c+e);if(!a.ok)throw new Error(`${a.url}: ${a.status}`);return new Response(a.body.pipeThrough(new DecompressionStream("gzip")),{headers:{"Content-Type":t}})}async function d(e,t){return URL.createObjectURL(await(await m(e,t)).blob())}async function y(){let e=m("python.wasm.bin","application/wasm"),t=d("library.zip.bin","application/zip"),a=d("pyodide.asm.mjs.bin","text/javascript").then(i=>import(i)),{loadPyodide:p,version:s}=await import(`${c}pyodide.mjs`),n=self.fetch;self.fetch=(i,h)=>String(i).endsWith("pyodide.asm.wasm")?e:n(i,h);let o=await p({indexURL:c,createPyodideModule:(await a).default,stdLibURL:await t});return self.fetch=n,o.runPython(`
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
`),o}var u=new Promise(e=>{try{let t=indexedDB.open("hearts",1);t.onupgradeneeded=()=>t.result.createObjectStore("tables"),t.onsuccess=()=>e(t.result),t.onerror=()=>e(null)}catch{e(null)}});async function w(){let e=(await u)?.transaction("tables").objectStore("tables");if(!e)return[];let t=s=>new Promise((n,o)=>{s.onsuccess=()=>n(s.result),s.onerror=()=>o(s.error)}),[a,p]=await Promise.all([t(e.getAllKeys()),t(e.getAll())]);return a.map((s,n)=>[s,p[n]])}async function b(e,t){let a=(await u)?.transaction("tables","readwrite").objectStore("tables");t===null?a?.delete(e):a?.put(t,e)}function g(e){let t=JSON.parse(e);t.type==="keep"?b(t.table,t.document):self.postMessage(t)}var r=[],l;self.onmessage=({data:e})=>r?r.push(e):l.receive(e);try{let[e,t]=await Promise.all([y(),w()]);l=await e.pyimport(f).serve(g,e.toPy(t));for(let a of r)l.receive(a);r=null}catch(e){throw self.postMessage({type:"failed",message:String(e)}),e}
