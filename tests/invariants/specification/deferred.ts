/** Something of the specification that is not built: what its code would hold, and an example of that. */
export interface Deferred {
  says: string
  sign: RegExp
  example: string
}

/** What no call, topic, route or text stands for. A sign that turns up in the sources means that its line has to move. */
export const DEFERRED: readonly Deferred[] = [
  {
    says: '§1 web push',
    sign: /pushManager|PushSubscription/,
    example: 'registration.pushManager.subscribe()',
  },
  {
    says: '§3 a meter group is 513, 514, 518, 519',
    sign: /'513', '514', '518', '519'\]/,
    example: "['513', '514', '518', '519']",
  },
  {
    says: '§3 automation types',
    sign: /\bAutomationType: /,
    example: 'AutomationType: z.literal([1, 2, 3, 4, 5])',
  },
  {
    says: '§3 conditions of an automation',
    sign: /\bRetriggerInterval\b/,
    example: 'RetriggerInterval: z.number()',
  },
  {
    says: '§3 web-push subscription',
    sign: /\bSubscriptionInfo\b/,
    example: 'SubscriptionInfo: z.unknown()',
  },
  {
    says: '§5, §9 at most 8 automation conditions',
    sign: /tooManyConditions/,
    example: "'tooManyConditions'",
  },
  {
    says: '§9 trigger frequency options',
    sign: /\b5, 10, 20, 30, 60, 120, 180\b/,
    example: '[5, 10, 20, 30, 60, 120, 180, 240, 300]',
  },
  {
    says: '§9 end duration options',
    sign: /\b600, 900, 1_?200, 1_?800\b/,
    example: '600, 900, 1_200, 1_800, 2_100',
  },
  {
    says: '§9 a public web-push key',
    sign: /applicationServerKey/,
    example: 'applicationServerKey: key',
  },
]
