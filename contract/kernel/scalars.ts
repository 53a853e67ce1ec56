import { z } from 'zod'
import { credential } from './credential.ts'
import { EMAIL_PATTERN } from './credentials.ts'

/** Opaque identifier on the wire: at most 64 of [A-Za-z0-9_-] (protocol, Calls). */
const id = () => z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'id')

export const HomeID = id()
export const ThingName = id()
export const PeripheralUID = id()
/** A meter of a home: a PeripheralUID, that of a second register with `.return`, or the id of a virtual meter. */
export const MeterID = z.string().regex(/^[A-Za-z0-9_-]{1,64}(\.return)?$/, 'id')
export const DepartmentID = id()
export const ModbusTableID = id()
export const TariffID = id()
export const VisitorID = id()
export const EmployeeID = id()
export const ConferenceRoomID = id()
export const GroupID = id()
export const SceneID = id()
export const AutomationID = id()
export const NotificationChannelID = id()
export const ReportPlanID = id()
export const UtilityBillID = id()
export const DashboardID = id()
/** Of a run: its commands are called after it, `<RunID>-<n>`. */
export const RunID = z.string().regex(/^[A-Za-z0-9_-]{1,48}$/, 'id')
/** Of a booking, and of its series. */
export const RecordID = id()

/** The name of a Modbus value in reports and commands; it stays when the label changes. */
export const ModbusKey = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,31}$/, 'key')

/** Integer within one home; 0 is the home's default room (§3). */
export const RoomID = z.number().int().min(0).max(2_147_483_647)

/** Integer within one home, never used again. */
export const FloorID = z.number().int().min(1).max(2_147_483_647)

/** A person or a company: RootCognitoId and CognitoId are UUIDs (protocol, Who is who). */
export const CognitoId = z.uuid()

/** Words that must be there, trimmed, at most `most` characters; those that nobody can see (U+200B, U+FEFF) are none. */
export const requiredText = (most: number) =>
  z
    .string()
    .trim()
    .max(most, 'tooLong')
    .regex(/[^\p{Cc}\p{Cf}\p{Z}]/u, 'required')

/** Names people give to things: required, trimmed, at most 64 characters ("Please enter the name", §5). */
export const Name = requiredText(64)

/** What a hub says in words, at most `most` characters; no NUL and no half character, which no database can hold. */
export const hubText = (most: number) =>
  z
    .string()
    .max(most, 'tooLong')
    .regex(/^[^\0\p{Surrogate}]*$/u, 'invalid')

/** Simple address pattern of §5; stored in lower case, so that two spellings are one person. */
export const Email = z.string().trim().toLowerCase().max(254, 'tooLong').regex(EMAIL_PATTERN, 'email')

/** At least 6 characters, 1 digit and 1 lowercase letter (§2, §5); at most 256 so that hashing stays bounded. */
export const Password = credential(
  z.string().min(6, 'password').max(256, 'tooLong').regex(/\d/, 'password').regex(/[a-z]/, 'password'),
)

/** IANA time zone that this runtime knows, e.g. Asia/Taipei. */
export const TimeZone = z.string().max(64).refine(isTimeZone, 'timeZone')

function isTimeZone(zone: string): boolean {
  try {
    return (
      new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone.length > 0 && zone !== ''
    )
  } catch {
    return false
  }
}

/** Epoch milliseconds, as calls carry it. */
export const Millis = z.number().int().min(0).max(8.64e15)

/** Numeric string code of a peripheral type, e.g. "516" (§3). */
export const PeripheralType = z.string().regex(/^\d{1,5}$/, 'type')

/** Of a record: another one after every change of what its form edits, so that a form that was opened earlier can be told. */
export const Version = z.number().int()

/** Makes a mutation safe to send twice: the same id within 24 h answers the first result again. */
export const RequestID = id()

/** A language of the product. */
export const Language = z.enum(['zh-TW', 'en-US'])
export type Language = z.infer<typeof Language>
