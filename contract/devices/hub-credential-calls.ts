import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { ThingCredentials, ThingKey } from './thing.ts'

export const hubCredentials = {
  rotateThingSecret: defineEndpoint({
    path: '/RotateThingSecret',
    summary: 'New credentials for a hub, shown this once; the old ones stop at once.',
    access: right('device', 'Update'),
    input: ThingKey,
    results: ThingCredentials,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: [],
    why: 'A secret is shown once and is in no other answer.',
  }),
}
