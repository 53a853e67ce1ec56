/** Attributes of a playlist's tags that carry an address (RFC 8216, 4.3). */
const ADDRESS = /(URI=")([^"]*)(")/g

/**
 * An HLS playlist with every address replaced, those on lines of their own and those in tags (RFC 8216).
 *
 * rename  the new address, given the old one as it stands in the playlist
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

/** Whether these are the first bytes of a playlist. */
export const isPlaylist = (text: string): boolean => text.trimStart().startsWith('#EXTM3U')
