/** The files of `examples/`. Without messages: the built glob has a parameter named like them. */
const FILES = import.meta.glob<string>('../../../../examples/*/*.{cpp,cs,csproj,go,hpp,java,lua,mjs,php,py,rs,service,sh,toml,yaml}', {
  query: '?raw',
  import: 'default',
})

/** @param file such as `python/announce.py` */
export async function readExample(file: string): Promise<string> {
  const load = FILES[`../../../../examples/${file}`]
  if (load === undefined) throw new Error(`missing:${file}`)
  return await load()
}
