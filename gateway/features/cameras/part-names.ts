import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whose stream a part is of; at another origin the same path is another thing. */
export interface PartOwner {
  tenant: string
  uid: string
  origin: string
}

/**
 * Names for the parts of streams that only the gateway can give: whoever may watch a camera fetches what its playlists
 * name and nothing else, for the gateway would sign in to the camera's own pages for them.
 */
export function createPartNames(key: Uint8Array) {
  // A ticket's text has no line breaks, so no code for a part is ever one for a ticket.
  const codeOf = ({ tenant, uid, origin }: PartOwner, part: string) =>
    createHmac('sha256', key).update(['part', tenant, uid, origin, part].join('\n')).digest()

  return {
    /** One path segment. */
    make: (owner: PartOwner, part: string): string =>
      `${Buffer.from(part).toString('base64url')}.${codeOf(owner, part).toString('base64url')}`,

    /** The part, or undefined when the gateway has not named it for this owner. */
    read(owner: PartOwner, name: string): string | undefined {
      const [body = '', code = ''] = name.split('.')
      const part = Buffer.from(body, 'base64url').toString()
      const given = Buffer.from(code, 'base64url')
      const right = codeOf(owner, part)
      return given.length === right.length && timingSafeEqual(given, right) ? part : undefined
    },
  }
}
