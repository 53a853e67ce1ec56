import { z } from 'zod'
import { Language } from '../../contract/kernel/scalars.ts'

/** Supported protocol versions, the preferred one first. */
export const VERSIONS: readonly number[] = [1]
/** Maximum length of a message in characters; longer ones are rejected unread. */
export const MAX_CHARACTERS = 65_536

/** Format of a pool's tokens: three parts of base64url (RFC 7519). */
const Token = z
  .string()
  .max(8192)
  .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)
const Nothing = z.object({})
const Capability = z.string().max(64)
const Value = z.union([z.string().max(256), z.number(), z.boolean()])

/** Messages of the application around the web view (§1). */
export const FromApp = {
  hello: z
    .object({ Version: z.number().int(), Can: z.array(Capability).max(32) })
    .describe(
      'Answers the page’s `hello`: the version that the app speaks and what it can, e.g. `push`, `qr`.',
    ),
  requestTokens: Nothing.describe('Asks for the tokens of who is signed in; answered by `tokens`.'),
  requestLanguage: Nothing.describe('Asks for the language of the page; answered by `language`.'),
  requestDeviceInfo: Nothing.describe('Asks what the page knows of the device; answered by `deviceInfo`.'),
  token: z
    .object({ IdToken: Token, AccessToken: Token })
    .describe(
      'Signs in with these tokens, or takes newer ones of the same person. Another person’s end the session first.',
    ),
  language: z.object({ Language }).describe('Sets the language of the page.'),
  deviceInfo: z
    .record(z.string().max(64), Value)
    .describe('Tells the page what device and which version of the app it is in.'),
  logoutPush: Nothing.describe('The app received a push that ends the session: the page signs out.'),
  resume: Nothing.describe('The app is in front again: the page connects at once and asks for what is old.'),
  openNotification: z
    .object({ Path: z.string().max(2048).startsWith('/') })
    .describe(
      'A notification was pressed: opens a page of the dashboard. Addresses of other sites are refused.',
    ),
}
export type FromApp = { [T in keyof typeof FromApp]: z.infer<(typeof FromApp)[T]> }

/** Reason why a message was not handled. */
export const ErrorCode = z.enum([
  'unknown',
  'malformed',
  'tooLarge',
  'tooMany',
  'unknownVersion',
  'notOurs',
  'failed',
])
export type ErrorCode = z.infer<typeof ErrorCode>

const NativeFailure = z.object({
  Code: ErrorCode,
  /** For unknown: the unsupported type. */
  Type: z.string().optional(),
  /** For unknownVersion: the supported versions. */
  Versions: z.array(z.number().int()).optional(),
  /** For tooLarge: the maximum length of a message in characters. */
  Limit: z.number().int().optional(),
})
export type NativeFailure = z.infer<typeof NativeFailure>

/** Messages of the page to the application. */
export const ToApp = {
  hello: z
    .object({ Version: z.number().int(), Can: z.array(Capability) })
    .describe('The first message: the version of the page, and the types of messages that it understands.'),
  tokens: z
    .object({ IdToken: z.string(), AccessToken: z.string() })
    .nullable()
    .describe('The tokens; null when nobody is signed in.'),
  language: z.object({ Language }).describe('The language of the page.'),
  deviceInfo: z
    .object({
      UserAgent: z.string(),
      Width: z.number(),
      Height: z.number(),
      PixelRatio: z.number(),
      TimeZone: z.string(),
    })
    .describe('The browser of the web view, its size in CSS pixels, and the time zone of the device.'),
  tokenEnding: Nothing.describe(
    'The tokens that the app handed over end within five minutes: it should send new ones.',
  ),
  signedOut: z
    .object({ Reason: z.string() })
    .describe(
      'Nobody is signed in any more: `signedOut`, `expired`, `denied`, `network`, `permissionsChanged` or `userDeleted`.',
    ),
  unknown: z
    .object({ Type: z.string() })
    .describe('The page does not know this type. Only for messages without an `id`.'),
  error: NativeFailure.describe('A message could not be followed. Only for messages without an `id`.'),
}
export type ToApp = { [T in keyof typeof ToApp]: z.infer<(typeof ToApp)[T]> }

/** Identifies a message, for its response. */
export const MessageID = z.union([z.string().max(128), z.number().int()])
export type MessageID = z.infer<typeof MessageID>

export const Envelope = z.object({
  id: MessageID.optional(),
  type: z.string().max(64),
  payload: z.unknown().optional(),
})

/** Response to a message with an `id`, in either direction. */
export const NativeResult = z.discriminatedUnion('success', [
  z.object({ id: MessageID, type: z.literal('result'), success: z.literal(true), result: z.unknown() }),
  z.object({ id: MessageID, type: z.literal('result'), success: z.literal(false), error: z.unknown() }),
])

export const isFromApp = (type: string): type is keyof FromApp => Object.hasOwn(FromApp, type)
