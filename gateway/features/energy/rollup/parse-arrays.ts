/** Five words come before the elements of an array of one dimension, three before those of an empty one. */
const HEADER = 20
/** Numbers of an array as PostgreSQL's `array_send` writes them: each after its length. */
export function parseDoubles(sent: Buffer): Float64Array {
  const numbers = new Float64Array(Math.max(0, (sent.length - HEADER) / 12))
  for (let i = 0; i < numbers.length; i++) numbers[i] = sent.readDoubleBE(HEADER + i * 12 + 4)
  return numbers
}
export function parseFloats(sent: Buffer): Float32Array {
  const numbers = new Float32Array(Math.max(0, (sent.length - HEADER) / 8))
  for (let i = 0; i < numbers.length; i++) numbers[i] = sent.readFloatBE(HEADER + i * 8 + 4)
  return numbers
}
export function parseIntegers(sent: Buffer): Int32Array {
  const numbers = new Int32Array(Math.max(0, (sent.length - HEADER) / 8))
  for (let i = 0; i < numbers.length; i++) numbers[i] = sent.readInt32BE(HEADER + i * 8 + 4)
  return numbers
}
