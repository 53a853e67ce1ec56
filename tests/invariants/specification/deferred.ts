/** Something of the specification that is not built: what its code would hold, and an example of that. */
export interface Deferred {
  says: string
  sign: RegExp
  example: string
}

/** What no call, topic, route or text stands for. A sign that turns up in the sources means that its line has to move. */
export const DEFERRED: readonly Deferred[] = [
  {
    says: '§3 a meter group is 513, 514, 518, 519',
    sign: /'513', '514', '518', '519'\]/,
    example: "['513', '514', '518', '519']",
  },
]
