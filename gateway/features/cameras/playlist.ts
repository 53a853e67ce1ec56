/** Attributes of a playlist's tags that contain an address (RFC 8216, 4.3). */
const ADDRESS = /(URI=")([^"]*)(")/g

/**
 * Replaces every address of an HLS playlist, on its own line or in a tag (RFC 8216).
 *
 * rename  maps an address as written in the playlist to the new one
 */
export const renameParts = (playlist: string, rename: (address: string) => string): string =>
  playlist
    .split(/\r?\n/)
    .map((line) => {
      if (line.startsWith('#'))
        return line.replace(ADDRESS, (_, before: string, address: string, after: string) =>
          [before, rename(address), after].join(''),
        )
      return line.trim() === '' ? line : rename(line.trim())
    })
    .join('\n')

/** Video codecs that not all browsers play: H.265, Dolby Vision, MPEG-4 part 2 and motion JPEG (RFC 6381 names). */
const UNPLAYABLE = /(?:^|,)\s*(?:hvc1|hev1|dvh1|dvhe|mp4v|mjpg|jpeg)\b/i

/** Address of a playlist's first variant, and whether none of its variants is playable (RFC 8216, 4.3.4.2). */
export function variantsOf(playlist: string): { first: string | undefined; unplayable: boolean } {
  const lines = playlist.split(/\r?\n/)
  const variants = lines.flatMap((line, i) => (line.startsWith('#EXT-X-STREAM-INF:') ? [{ line, i }] : []))
  return {
    first:
      variants[0] &&
      lines.slice(variants[0].i + 1).find((line) => line.trim() !== '' && !line.startsWith('#')),
    unplayable:
      variants.length > 0 &&
      variants.every(({ line }) => UNPLAYABLE.test(/CODECS="([^"]*)"/.exec(line)?.[1] ?? '')),
  }
}

export const isPlaylist = (text: string): boolean => text.trimStart().startsWith('#EXTM3U')
