import { z } from 'zod'
import { defineChannel } from './kernel/define-channel.ts'
import { Millis } from './kernel/scalars.ts'

export const messageGap = defineChannel({
  template: '{rootId}/news/gap',
  summary:
    'Messages from other gateways may be missing since this time. Poll statuses while it lasts; refetch everything once it is over.',
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: 'signed-in',
  payload: z.object({
    /** Time of the first message that may be missing, epoch ms. */
    Since: Millis,
    /** False during the gap, true once it has ended. */
    Over: z.boolean(),
  }),
})
