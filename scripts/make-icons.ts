/** Makes the icons of the installed dashboard from public/favicon.svg; run it after a change: `npx tsx scripts/make-icons.ts`. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const PUBLIC = join(import.meta.dirname, '../public')
/** Width and height of the drawing. */
const DRAWN = 32

const drawing = await readFile(join(PUBLIC, 'favicon.svg'), 'utf8')

/** The drawing with a margin of its background and square corners, which the system rounds itself. */
function padded(margin: number): string {
  const size = DRAWN + 2 * margin
  return drawing
    .replace(/viewBox="[^"]*"/, `viewBox="${-margin} ${-margin} ${size} ${size}"`)
    .replace(
      /<rect [^>]*?(fill="[^"]*")[^>]*>/,
      `<rect x="${-margin}" y="${-margin}" width="${size}" height="${size}" $1/>`,
    )
}

const make = (svg: string, size: number, name: string) =>
  sharp(Buffer.from(svg), { density: (72 * size) / DRAWN })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true, colours: 64 })
    .toFile(join(PUBLIC, 'icons', `${name}.png`))

await mkdir(join(PUBLIC, 'icons'), { recursive: true })
await make(drawing, 192, '192')
await make(drawing, 512, '512')
// Only the middle four fifths of a maskable icon are always visible.
await make(padded(5), 512, 'maskable-512')
await make(padded(2), 180, 'apple-touch-180')
