import { build } from 'vite'
import type { Figure } from '../support/measurement.ts'

/** Modules of the first signed-in screen. */
const FIRST = ['/src/main.tsx', '/src/custom-views/dashboard/dashboard.tsx']
/** Editors and lists of automation, and the parts of its engine that an editor uses. Its schemas are part of every call. */
const LATER =
  /\/src\/(?:resources|custom-views)\/(?:automation|scene|group)\/|\/contract\/automation\/rule-problems\.ts$/

interface Chunk {
  fileName: string
  imports: string[]
  modules: Record<string, { renderedLength: number }>
}

/** Bytes of automation's engine and editors in the JavaScript of the first signed-in screen: must be zero. */
export async function firstScreen(): Promise<Figure[]> {
  const built = await build({ logLevel: 'silent', build: { write: false } })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) =>
    'output' in one ? one.output : [],
  )
  const chunks = outputs.filter((one) => one.type === 'chunk') as unknown as Chunk[]
  const modulesOf = ({ modules }: Chunk) => Object.entries(modules)
  const holds = (name: string) => (chunk: Chunk) => modulesOf(chunk).some(([id]) => id.endsWith(name))
  const missing = FIRST.filter((name) => !chunks.some(holds(name)))
  if (missing.length > 0) throw new Error(`No chunk holds ${missing.join(', ')}`)
  const first = new Set(chunks.filter((chunk) => FIRST.some((name) => holds(name)(chunk))))
  for (const chunk of first)
    for (const other of chunks) if (chunk.imports.includes(other.fileName)) first.add(other)
  const found = [...first].flatMap(modulesOf).filter(([id]) => LATER.test(id))
  return [
    {
      what: "JavaScript of automation's engine and editors with the first signed-in screen",
      value: found.reduce((sum, [, { renderedLength }]) => sum + renderedLength, 0),
      unit: 'B',
      bar: { of: 'value', max: 0 },
      note: found.length > 0 ? found.map(([id]) => id).join(', ') : `${first.size} chunks`,
    },
  ]
}
