/** Bytes before the first element of a one-dimensional array: five words (an empty array has three). */
const HEADER = 20
/** Parses the binary output of PostgreSQL's `array_send`: each number follows its length. */
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
