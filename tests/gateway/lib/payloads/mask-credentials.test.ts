import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../../../contract/index.ts'
import { credential } from '../../../../contract/kernel/credential.ts'
import {
  isCredentialName,
  holdsCredential,
  listFields,
  maskCredentials,
} from '../../../../gateway/lib/payloads/mask-credentials.ts'

const schema = z.object({
  Name: z.string(),
  Address: credential(z.url()).optional(),
  Source: credential(z.string(), 'query').nullable(),
  List: z.array(
    z.discriminatedUnion('Kind', [z.object({ Kind: z.literal('a'), Pin: credential(z.string()) })]),
  ),
})

describe('masking', () => {
  it('hides exactly what the schema marks, whatever its name', () => {
    const value = {
      Name: 'token',
      Address: 'https://hooks.example/T0/secret',
      Source: 'https://camera.example/live?user=me',
      List: [{ Kind: 'a', Pin: '1234' }],
      Token: 'no field of this schema',
    }
    expect(maskCredentials(value, [schema])).toEqual({
      ...value,
      Address: '***',
      Source: 'https://camera.example/live?***',
      List: [{ Kind: 'a', Pin: '***' }],
    })
    expect(maskCredentials({ Source: null }, [schema])).toEqual({ Source: null })
  })

  it('hides fields without a schema by the names that the contract always marks', () => {
    expect(maskCredentials({ Deep: [{ Secret: 's', Address: 1 }] }, [], isCredentialName)).toEqual({
      Deep: [{ Secret: '***', Address: 1 }],
    })
  })

  it('knows whether a result contains a credential', () => {
    expect(holdsCredential({ Name: 'n', List: [] }, schema)).toBe(false)
    expect(holdsCredential({ Name: 'n', List: [{ Kind: 'a', Pin: '1' }] }, schema)).toBe(true)
  })
})

const SUSPICIOUS =
  /password|secret|token|jwe|key|card|url|path|link|address|endpoint|auth|session|pin|credential|hash|code|ticket|invitation/i
/** Fields that are no credentials in spite of their names. */
const HARMLESS = new Set([
  // Fields and rows of Modbus tables, features, findings, attention
  ...['Key', 'Keys', 'FeatureKey', 'Address', 'AddressOffset'],
  // Images whose addresses require a session or are public
  ...['ImageUrl', 'PeripheralImageUrl', 'LogoUrl', 'PhotoUrl', 'Url', 'SmallUrl'],
  // Identifiers and digests
  ...['SessionID', 'LinkID', 'EndpointHash', 'FileHash', 'Hash', 'PMACAddress'],
  // Codes of firmware updates, paths of calls and pages
  ...['Code', 'Path', 'Paths'],
  // Words that contain one of these
  ...[
    'AuthorName',
    'HasPassword',
    'HasInitialPassword',
    'PasswordChangedAt',
    'LinkQuality',
    'Invitation',
    'AbnormalBlinkRate',
    'HourlyKwh',
  ],
  // Cards of dashboards
  ...['CardCount', 'Cards', 'CardID', 'CardIDs'],
])

it('marks every credential field of every call', () => {
  const unflagged = Object.values(endpoints).flatMap(({ path, input, results }) =>
    [...listFields(input), ...listFields(results)]
      .filter(([name, flagged]) => !flagged && SUSPICIOUS.test(name) && !HARMLESS.has(name))
      .map(([name]) => `${path} ${name}`),
  )
  expect([...new Set(unflagged)]).toEqual([])
})
