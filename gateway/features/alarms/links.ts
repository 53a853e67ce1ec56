import { readSigned, writeSigned } from '../../lib/signed.ts'

/** Lifetime of a link, ms: the same as that of a critical push message. */
const LINK_TTL_MS = 86_400_000

/** Content of a link: the alarm it acknowledges, the person, and the time of issue. */
export interface AlarmLink {
  tenant: string
  alarmId: string
  cognitoId: string
  at: number
}

/** Short names, because the link is part of messages with a limited size. */
interface LinkContent {
  t: string
  a: string
  c: string
  i: number
}

export const writeLink = ({ tenant, alarmId, cognitoId, at }: AlarmLink, key: Uint8Array): string =>
  writeSigned({ t: tenant, a: alarmId, c: cognitoId, i: at } satisfies LinkContent, key)

export const isTooOld = ({ at }: AlarmLink, now: number): boolean => now - at > LINK_TTL_MS

/** The link, if its signature is valid. */
export function readLink(text: string, key: Uint8Array): AlarmLink | undefined {
  const link = readSigned<LinkContent>(text, key)
  return link && { tenant: link.t, alarmId: link.a, cognitoId: link.c, at: link.i }
}
