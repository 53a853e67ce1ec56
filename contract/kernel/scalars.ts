import { z } from 'zod'
import { credential } from './credential.ts'
import { EMAIL_PATTERN } from './sign-in-rules.ts'

/** Opaque identifier on the wire: at most 64 of [A-Za-z0-9_-] (protocol, Calls). */
const id = () => z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'id')

export const HomeID = id()
export const ThingName = id()
export const PeripheralUID = id()
/** ID of a meter: a PeripheralUID, with `.return` for a second register, or the ID of a virtual meter. */
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
/** ID of a run; its commands have the IDs `<RunID>-<n>`. */
export const RunID = z.string().regex(/^[A-Za-z0-9_-]{1,48}$/, 'id')
/** ID of a booking or a series. */
export const RecordID = id()

/** Name of a Modbus value in reports and commands; it does not change with the label. */
export const ModbusKey = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,31}$/, 'key')

/** Integer, unique within a home; 0 is the home's default room (§3). */
export const RoomID = z.number().int().min(0).max(2_147_483_647)

/** Integer, unique within a home, never reused. */
export const FloorID = z.number().int().min(1).max(2_147_483_647)

/** ID of a person or company: RootCognitoId and CognitoId are UUIDs (protocol, Who is who). */
export const CognitoId = z.uuid()

/** Required text: trimmed, at most `maxLength` characters, at least one of them visible (U+200B and U+FEFF are not). */
export const requiredText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength, 'tooLong')
    .regex(/[^\p{Cc}\p{Cf}\p{Z}]/u, 'required')

/** Name that a user gives: required, trimmed, at most 64 characters ("Please enter the name", §5). */
export const Name = requiredText(64)

/** Text from a hub: at most `maxLength` characters, without NUL and lone surrogates, which PostgreSQL cannot store. */
export const hubText = (maxLength: number) =>
  z
    .string()
    .max(maxLength, 'tooLong')
    .regex(/^[^\0\p{Surrogate}]*$/u, 'invalid')

/** Email address (pattern of §5), in lower case, so that two spellings identify the same person. */
export const Email = z.string().trim().toLowerCase().max(254, 'tooLong').regex(EMAIL_PATTERN, 'email')

/** At least 6 characters, 1 digit and 1 lowercase letter (§2, §5); at most 256, which bounds the cost of hashing. */
export const Password = credential(
  z.string().min(6, 'password').max(256, 'tooLong').regex(/\d/, 'password').regex(/[a-z]/, 'password'),
)

/** IANA time zone that this runtime supports, e.g. Asia/Taipei. */
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

/** Epoch milliseconds. */
export const Millis = z.number().int().min(0).max(8.64e15)

/** Numeric code of a peripheral type as a string, e.g. "516" (§3). */
export const PeripheralType = z.string().regex(/^\d{1,5}$/, 'type')

/** Version of a record, different after every change of the fields that its form edits; detects that an open form is outdated. */
export const Version = z.number().int()

/** ID that makes a mutation idempotent: a call with the same ID within 24 h returns the first result. */
export const RequestID = id()

export const Language = z.enum(['zh-TW', 'en-US'])
export type Language = z.infer<typeof Language>

/** Opaque start of the next page of a list: the NextCursor of the previous answer (protocol, Calls). */
export const Cursor = z.string().max(512)

/** Input of a paged list in addition to its filters. Limit defaults to 50 rows. */
export const PageInput = z.object({
  Cursor: Cursor.optional(),
  Limit: z.number().int().min(1).max(500).default(50),
})

/** One page of a list. NextCursor is null on the last page; Total counts all rows that match the filters. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ Rows: z.array(row), NextCursor: Cursor.nullable(), Total: z.number().int() })
