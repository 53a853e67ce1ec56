import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { ThingCredentials, ThingKey } from './thing.ts'

export const hubCredentials = {
  rotateThingSecret: defineEndpoint({
    path: '/RotateThingSecret',
    summary: 'Creates new credentials for a hub, returned only once; the old ones are revoked at once.',
    access: right('device', 'Update'),
    input: ThingKey,
    results: ThingCredentials,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: [],
    why: 'A secret is returned only once and is part of no other answer.',
  }),
}
