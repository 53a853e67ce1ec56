/** Format and size in pixels from a picture's first bytes, regardless of its name. */
export interface ImageHeader {
  contentType: 'image/jpeg' | 'image/png' | 'image/webp'
  width: number
  height: number
}

/**
 * Reads the header of a JPEG, PNG or WebP; undefined for anything else, including SVG, and for a broken header.
 *
 * source    PNG (ISO/IEC 15948) 11.2.2; JPEG (ITU-T T.81) B.2.2; WebP container specification (RFC 9649)
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const header = png(view) ?? jpeg(view) ?? webp(view)
    return header && header.width > 0 && header.height > 0 ? header : undefined
  } catch (error) {
    // Reading past the end: the header is truncated.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function png(view: DataView): ImageHeader | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return undefined
  if (view.getUint32(12) !== 0x49484452) return undefined
  return { contentType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
}

function jpeg(view: DataView): ImageHeader | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined
  let at = 2
  for (;;) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) at++
    else if (isFrame(marker))
      return { contentType: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    else if (marker === 0xda || marker === 0xd9) return undefined
    else at += 2 + view.getUint16(at + 2)
  }
}

/** Start of frame: C0 to CF without DHT (C4), JPG (C8) and DAC (CC). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function webp(view: DataView): ImageHeader | undefined {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return undefined
  const contentType = 'image/webp'
  const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
  switch (view.getUint32(12)) {
    case 0x56503820: // "VP8 "
      if (uint24(23) !== 0x2a019d) return undefined
      return {
        contentType,
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      }
    case 0x5650384c: {
      // "VP8L"
      if (view.getUint8(20) !== 0x2f) return undefined
      const bits = view.getUint32(21, true)
      return { contentType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 0x56503858: // "VP8X"
      return { contentType, width: uint24(24) + 1, height: uint24(27) + 1 }
    default:
      return undefined
  }
}
