import { readSigned, writeSigned } from '../../lib/signed.ts'

/** How long a link is good for, ms: as long as a critical message may be on its way to a browser. */
const LINK_TTL_MS = 86_400_000

/** What the link of a notification says: which alarm it acknowledges, for whom, and when it was given. */
export interface AlarmLink {
  tenant: string
  alarmId: string
  cognitoId: string
  at: number
}

/** Short names: it stands in messages of few bytes. */
interface Written {
  t: string
  a: string
  c: string
  i: number
}

export const writeLink = ({ tenant, alarmId, cognitoId, at }: AlarmLink, key: Uint8Array): string =>
  writeSigned({ t: tenant, a: alarmId, c: cognitoId, i: at } satisfies Written, key)

export const isTooOld = ({ at }: AlarmLink, now: number): boolean => now - at > LINK_TTL_MS

/** The link if it is ours, else undefined. */
export function readLink(text: string, key: Uint8Array): AlarmLink | undefined {
  const link = readSigned<Written>(text, key)
  return link && { tenant: link.t, alarmId: link.a, cognitoId: link.c, at: link.i }
}
