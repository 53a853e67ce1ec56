/** Part of the specification that is not built: a pattern of its code, and an example match. */
export interface Deferred {
  says: string
  sign: RegExp
  example: string
}

/** Parts without a call, topic, route or text. A match in the sources means that the line has to move. */
export const DEFERRED: readonly Deferred[] = [
  {
    says: '§3 a meter group is 513, 514, 518, 519',
    sign: /'513', '514', '518', '519'\]/,
    example: "['513', '514', '518', '519']",
  },
]
