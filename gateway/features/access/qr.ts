/** Error correction M: a seventh of the code may be dirty. Of each version 1 to 10: check bytes a block, and the blocks' data bytes. */
const VERSIONS: readonly { check: number; blocks: readonly number[]; align: readonly number[] }[] = [
  { check: 10, blocks: [16], align: [] },
  { check: 16, blocks: [28], align: [6, 18] },
  { check: 26, blocks: [44], align: [6, 22] },
  { check: 18, blocks: [32, 32], align: [6, 26] },
  { check: 24, blocks: [43, 43], align: [6, 30] },
  { check: 16, blocks: [27, 27, 27, 27], align: [6, 34] },
  { check: 18, blocks: [31, 31, 31, 31], align: [6, 22, 38] },
  { check: 22, blocks: [38, 38, 39, 39], align: [6, 24, 42] },
  { check: 22, blocks: [36, 36, 36, 37, 37], align: [6, 26, 46] },
  { check: 26, blocks: [43, 43, 43, 43, 44], align: [6, 28, 50] },
]

/** One of the eight masks; every reader knows them all, and one that is regular enough serves short texts. */
const MASK = 0
const masked = (row: number, column: number) => (row + column) % 2 === 0

/**
 * A text as a QR code (ISO/IEC 18004, byte mode, level M): rows of modules, true is dark, without the quiet zone.
 *
 * errors  RangeError for more than 213 bytes
 */
export function qrCode(text: string): boolean[][] {
  const bytes = Buffer.from(text)
  const index = VERSIONS.findIndex(({ blocks }, i) => bytes.length + (i < 9 ? 2 : 3) <= sum(blocks))
  const shape = VERSIONS[index]
  if (!shape) throw new RangeError('Too long for a QR code')
  const version = index + 1
  const size = 17 + 4 * version
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  const fixed = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  const put = (row: number, column: number, dark: boolean) => {
    if (row < 0 || column < 0 || row >= size || column >= size) return
    ;(modules[row] as boolean[])[column] = dark
    ;(fixed[row] as boolean[])[column] = true
  }
  drawFinders(size, put)
  drawAlignment(shape.align, fixed, put)
  for (let i = 8; i < size - 8; i++) {
    put(6, i, i % 2 === 0)
    put(i, 6, i % 2 === 0)
  }
  drawFormat(size, put)
  if (version >= 7) drawVersion(version, size, put)
  fill(interleaved(dataBytes(bytes, version, sum(shape.blocks)), shape), modules, fixed)
  return modules
}

type Put = (row: number, column: number, dark: boolean) => void

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

function drawFinders(size: number, put: Put) {
  for (const [top, left] of [
    [0, 0],
    [0, size - 7],
    [size - 7, 0],
  ] as const)
    for (let row = -1; row <= 7; row++)
      for (let column = -1; column <= 7; column++) {
        const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3))
        put(top + row, left + column, ring !== 2 && ring !== 4)
      }
}

function drawAlignment(centres: readonly number[], fixed: boolean[][], put: Put) {
  for (const row of centres)
    for (const column of centres) {
      if (fixed[row]?.[column]) continue
      for (let y = -2; y <= 2; y++)
        for (let x = -2; x <= 2; x++) put(row + y, column + x, Math.max(Math.abs(x), Math.abs(y)) !== 1)
    }
}

/** The remainder of a polynomial over GF(2): check bits of format and version. */
function remainder(value: number, bits: number, generator: number): number {
  let rest = value << bits
  for (let bit = 31 - Math.clz32(rest); bit >= bits; bit--)
    if ((rest >> bit) & 1) rest ^= generator << (bit - bits)
  return rest
}

function drawFormat(size: number, put: Put) {
  // Level M is 00.
  const data = MASK
  const bits = ((data << 10) | remainder(data, 10, 0x537)) ^ 0x5412
  for (let i = 0; i < 15; i++) {
    const dark = ((bits >> i) & 1) === 1
    const along = i < 6 ? i : i < 8 ? i + 1 : size - 15 + i
    put(along, 8, dark)
    put(8, i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i, dark)
  }
  put(size - 8, 8, true)
}

function drawVersion(version: number, size: number, put: Put) {
  const bits = (version << 12) | remainder(version, 12, 0x1f25)
  for (let i = 0; i < 18; i++) {
    const dark = ((bits >> i) & 1) === 1
    const [near, far] = [Math.floor(i / 3), size - 11 + (i % 3)]
    put(near, far, dark)
    put(far, near, dark)
  }
}

/** Mode, length, text and padding. */
function dataBytes(bytes: Buffer, version: number, capacity: number): number[] {
  const wide = version > 9
  const nibbles = [
    4,
    ...(wide ? [bytes.length >> 12, (bytes.length >> 8) & 15] : []),
    (bytes.length >> 4) & 15,
  ]
  nibbles.push(bytes.length & 15)
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15)
  nibbles.push(0)
  const data: number[] = []
  for (let i = 0; i < nibbles.length; i += 2) data.push(((nibbles[i] as number) << 4) | (nibbles[i + 1] ?? 0))
  for (let pad = 0xec; data.length < capacity; pad ^= 0xfd) data.push(pad)
  return data
}

/** The blocks with their check bytes, taken in turns. */
function interleaved(data: readonly number[], shape: (typeof VERSIONS)[number]): number[] {
  let at = 0
  const blocks = shape.blocks.map((length) => data.slice(at, (at += length)))
  const checks = blocks.map((block) => checkBytes(block, shape.check))
  const turns = (lists: readonly (readonly number[])[]) =>
    Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, i) =>
      lists.flatMap((list) => list[i] ?? []),
    ).flat()
  return [...turns(blocks), ...turns(checks)]
}

/** Multiplication in GF(256) modulo 0x11d. */
function times(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    if ((b >> bit) & 1) product ^= a
  }
  return product
}

/** Reed–Solomon. */
function checkBytes(block: readonly number[], count: number): number[] {
  const generator = Array.from({ length: count }, () => 0)
  generator[count - 1] = 1
  for (let i = 0, root = 1; i < count; i++, root = times(root, 2))
    for (let j = 0; j < count; j++)
      generator[j] = times(generator[j] as number, root) ^ (generator[j + 1] ?? 0)
  const rest = Array.from({ length: count }, () => 0)
  for (const byte of block) {
    const factor = byte ^ (rest.shift() as number)
    rest.push(0)
    for (let i = 0; i < count; i++) rest[i] = (rest[i] as number) ^ times(generator[i] as number, factor)
  }
  return rest
}

/** Up and down in columns of two from the right, around what is fixed. */
function fill(bytes: readonly number[], modules: boolean[][], fixed: boolean[][]) {
  const size = modules.length
  let bit = 0
  let up = true
  for (let right = size - 1; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const row = up ? size - 1 - step : step
      for (const column of [right, right - 1]) {
        if (fixed[row]?.[column]) continue
        const dark = (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1
        ;(modules[row] as boolean[])[column] = dark !== masked(row, column)
        bit++
      }
    }
  }
}
