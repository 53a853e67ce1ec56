import { readFileSync } from 'node:fs'
import { STALE_AFTER_MS } from '../../../contract/kernel/define-endpoint.ts'
import { OK } from '../../../contract/kernel/errors.ts'
import { ERRORS } from '../../../contract/kernel/errors.ts'
import { DEFAULT_PERSONAL_CONFIG } from '../../../contract/people/personal-calls.ts'
import {
  DEFAULT_UPDATE_FREQUENCY,
  MAX_ADDED_AT_ONCE,
  peripheral,
  WarningThreshold,
} from '../../../contract/devices/peripheral.ts'
import { GivenAutomation } from '../../../contract/automation/automation.ts'
import { group } from '../../../contract/automation/group.ts'
import { Action } from '../../../contract/automation/action.ts'
import { Condition } from '../../../contract/automation/condition.ts'
import { groupProblem } from '../../../gateway/features/automation/records/group.ts'
import { ruleProblems } from '../../../contract/automation/rule-problems.ts'
import { Phone } from '../../../contract/access-control/visitor.ts'
import { EMAIL_PATTERN, isPassword, PASSWORD_RULES } from '../../../contract/kernel/sign-in-rules.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import {
  DEFAULT_COLOR,
  areAdjacent,
  MAX_COLORS,
  SENSORS,
} from '../../../contract/devices/capabilities/light-house.ts'
import { isCurrent, supersedes, toMillis, mergeStatus } from '../../../contract/devices/status-order.ts'
import { carbonFactorOf, DEFAULT_CARBON_FACTOR } from '../../../contract/tariffs/carbon.ts'
import { CURRENT_HOME_KEY } from '../../../src/data/home-to-show.ts'
import { TOAST_SECONDS } from '../../../src/data/notices.ts'
import { BYTE_ORDER_MARK } from '../../../src/lib/export/text-files.ts'
import { formatPower } from '../../../contract/kernel/numbers.ts'
import { currentLanguage } from '../../../src/lib/i18n/i18n.ts'
import { CODE_TIMEOUT_MS } from '../../../src/lib/with-timeout.ts'
import { randomId } from '../../../src/lib/random-id.ts'
import { CACHE_LIFETIME_MS } from '../../../src/lib/storage-with-expiry.ts'
import { TOPICS_PER_SUBSCRIBE, CREDENTIAL_CHECK_MS } from '../../../src/live/connection.ts'
import { CONNECT_TIMEOUT_MS, MAX_PAUSE_MS, RENEW_BEFORE_MS } from '../../../src/live/connection-machine.ts'
import { VERSION } from '../../../src/shell/version.ts'
import { differing, type Fact, fact } from './fact.ts'

const limits = { CurrentLower: 0, CurrentUpper: 655_350, VoltageLower: 90, VoltageUpper: 400 }
const within = (changes: object) => WarningThreshold.safeParse({ ...limits, ...changes }).success
const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, values: readonly unknown[]) =>
  values.map((value) => schema.safeParse(value).success)
const of = (...types: string[]) =>
  types.map((PeripheralType, i) => ({
    PeripheralUID: 'ab'.charAt(i),
    PeripheralType,
    ThingName: 'hub',
  }))
/** Field for which an otherwise complete automation is rejected. */
function lacking(AutomationType: 1 | 3, changes: object): string | undefined {
  const whole = {
    HomeID: 'h',
    AutomationType,
    AutomationName: 'n',
    Conditions: { PeripheralUIDs: [{ PeripheralUID: 'a', Field: 'Switch', Logical: '=', Status: 1 }] },
    Actions: [{ PeripheralUID: 'b', Values: { Switch: 1 } }],
    ...changes,
  }
  const parsed = GivenAutomation.safeParse(whole)
  if (!parsed.success) return parsed.error.issues[0]?.path.join('.')
  const subject = (PeripheralUID: string) => ({ PeripheralUID, type: '516', modbusKeys: undefined })
  return ruleProblems(parsed.data, { subject })[0]?.path.join('.')
}
const addable = (count: number) =>
  peripheral.operations.create.input.safeParse({
    HomeID: 'h',
    Peripherals: Array.from({ length: count }, (_, i) => ({ PeripheralUID: `p${i}`, PeripheralName: 'p' })),
  }).success

/** Sections 2 to 5, 7 and 9: numbers, limits and rules that are values or short functions. */
export const CONSTANTS: readonly Fact[] = [
  fact('§1 CSV with a byte-order mark', '\uFEFF', () => BYTE_ORDER_MARK),
  fact('§2 the version text', '0.2.8.5.1', () => VERSION),
  fact('§2 password rules: 6 characters, a digit, a lowercase letter', ['digit', 'length', 'lower'], () =>
    Object.keys(PASSWORD_RULES).sort(),
  ),
  fact('§3 DecimalPrecision default 2, CustomDashboard DEFAULT', [2, 'DEFAULT'], () => [
    DEFAULT_PERSONAL_CONFIG.DecimalPrecision,
    DEFAULT_PERSONAL_CONFIG.CustomDashboard,
  ]),
  fact('§3 PowerMeterUpdateFrequency: default 900 s', 900, () => DEFAULT_UPDATE_FREQUENCY),
  fact('§3 display name: joined, or whichever exists', ['Ann Lee', 'Ann', 'Lee'], () =>
    [
      ['Ann', 'Lee'],
      ['Ann', ''],
      ['', 'Lee'],
    ].map(([FirstName = '', LastName = '']) => displayName({ FirstName, LastName, Email: 'a@b.tw' })),
  ),
  fact('§4 an older status is ignored', [false, true], () => [
    supersedes({ Timestamp: 1 }, { Timestamp: 2 }),
    supersedes({ Timestamp: 3 }, { Timestamp: 2 }),
  ]),
  fact(
    '§4 more than 10 digits are milliseconds, otherwise seconds',
    [9_999_999_999_000, 10_000_000_000],
    () => [toMillis(9_999_999_999), toMillis(10_000_000_000)],
  ),
  fact('§4 thermostat tables merge by NodeID', [{ NodeID: 1, Switch: 1 }, { NodeID: 2 }], () => {
    const known = { ThermostatTable: [{ NodeID: 1, Switch: 0 }, { NodeID: 2 }] }
    return mergeStatus(known, { ThermostatTable: [{ NodeID: 1, Switch: 1 }] }).ThermostatTable
  }),
  fact('§4 a reading is current while younger than the frequency', [true, false], () => [
    isCurrent(1, 900, 900_000),
    isCurrent(0, 900, 900_000),
  ]),
  fact('§4, §9 local cache lifetime 1 hour', [3_600_000, 3_600_000], () => [
    CACHE_LIFETIME_MS,
    STALE_AFTER_MS,
  ]),
  fact('§5 address pattern', [true, false, false], () =>
    ['a@b.tw', 'a@b', 'a b@c.tw'].map((address) => EMAIL_PATTERN.test(address)),
  ),
  fact('§5 password: at least 6 characters with letters and digits', [true, false, false, false], () =>
    ['abcde1', 'abcd1', 'abcdef', '123456'].map(isPassword),
  ),
  fact(
    '§5, §9 warning limits: current 0 to 655350, voltage 90 to 400',
    [true, false, false, false, false],
    () =>
      [{}, { CurrentLower: -1 }, { CurrentUpper: 655_351 }, { VoltageLower: 89 }, { VoltageUpper: 401 }].map(
        within,
      ),
  ),
  fact('§5 warning limits: every value required, upper not below lower', [true, false, false], () =>
    [
      { CurrentLower: 5, CurrentUpper: 5 },
      { CurrentLower: 6, CurrentUpper: 5 },
      { VoltageUpper: undefined },
    ].map(within),
  ),
  fact('§5, §9 at most 8 devices at once', [8, true, false], () => [
    MAX_ADDED_AT_ONCE,
    addable(8),
    addable(9),
  ]),
  fact('§5 a group needs at least one device and only one device type', [false, undefined, 'oneType'], () => [
    group.operations.create.input.shape.PeripheralList.safeParse([]).success,
    groupProblem(['a', 'b'], of('516', '516')),
    groupProblem(['a', 'b'], of('516', '532')),
  ]),
  fact('§5 condition values have two decimals', [true, false], () =>
    accepts(Condition, [
      { PeripheralUID: 'a', Field: 'Power', Logical: '>', Status: 1.25 },
      { PeripheralUID: 'a', Field: 'Power', Logical: '>', Status: 1.255 },
    ]),
  ),
  fact(
    '§5 an automation needs name, trigger device, condition, action and trigger time',
    ['AutomationName', 'Conditions.PeripheralUIDs.0.PeripheralUID', 'Conditions', 'Actions', 'Schedule'],
    () => [
      lacking(3, { AutomationName: '' }),
      lacking(3, { Conditions: { PeripheralUIDs: [{ Field: 'Switch', Logical: '=', Status: 1 }] } }),
      lacking(3, { Conditions: undefined }),
      lacking(3, { Actions: [] }),
      lacking(1, { Conditions: undefined }),
    ],
  ),
  fact(
    '§5 actions need a scene or a device or group, and what a device is set to',
    [true, true, true, false, false],
    () =>
      accepts(Action, [
        { SceneID: 's' },
        { PeripheralUID: 'a', Values: { Switch: 1 } },
        { GroupID: 'g', Values: { Switch: 1 } },
        { Values: { Switch: 1 } },
        { PeripheralUID: 'a', Values: {} },
      ]),
  ),
  fact('§5 lighthouse grouping requires adjacent devices', [true, false], () => [
    areAdjacent([2, 3]),
    areAdjacent([1, 3]),
  ]),
  fact('§5, §9 visitor phone is 10 digits like 0911-222-333', [true, true, false, false], () =>
    accepts(Phone, ['0911-222-333', '0911222333', '091122233', '09112223334']),
  ),
  fact('§5 power: under 1 three decimals, under 100 two, else rounded down, zero "0"', 'power', () =>
    [0.1234, 12.345, 123.9, 0, null].map(formatPower).join() === '0.123,12.35,123,0,0'
      ? 'power'
      : 'otherwise',
  ),
  fact('§7 status code 0 is success', 0, () => OK),
  fact('§4, §8 status code 4 signs out', 4, () => ERRORS.UNAUTHENTICATED.code),
  fact('§7, §9 subscriptions batched 6 per request', 6, () => TOPICS_PER_SUBSCRIBE),
  fact('§9 carbon factor', 0.494, () => DEFAULT_CARBON_FACTOR),
  fact('§9 carbon factor: of any year, unless the company chooses otherwise', '0.494 0.494 0.494', () =>
    [1999, 2022, 2030].map((year) => carbonFactorOf(year, new Map(), 'constant').Factor).join(' '),
  ),
  fact('§9 cached items: current home id', 'currentHomeId', () => CURRENT_HOME_KEY),
  fact('§9 maximum reconnect time', 1_800_000, () => MAX_PAUSE_MS),
  fact('§9 connect timeout', 1000, () => CONNECT_TIMEOUT_MS),
  fact('§9 credentials are refreshed when 300 seconds or fewer remain', 300_000, () => RENEW_BEFORE_MS),
  fact('§9 credentials: checked each second', 1000, () => CREDENTIAL_CHECK_MS),
  fact('§9 toast delay 2 s', 2, () => TOAST_SECONDS),
  fact('§9 chunk load timeout 120 s', 120_000, () => CODE_TIMEOUT_MS),
  differing(
    '0003-one-way-for-every-call.md',
    '§9 random key helper: 10000-99999',
    128,
    () => randomId().length * 4,
  ),
  fact('§9 a public web-push key exists, and screens are told it', [true, true], () =>
    ['gateway/features/push/feature.ts', 'src/data/config.ts'].map((file) =>
      /\bWebPushKey\??: /.test(readFileSync(file, 'utf8')),
    ),
  ),
  fact('§9 default language zh-TW', 'zh-TW', () => currentLanguage()),
  fact('§9 lighthouse default colour', { Red: 255, Green: 193, Blue: 7 }, () => DEFAULT_COLOR),
  fact('§9 lighthouse: five sensors, up to six colors', [5, 6], () => [SENSORS, MAX_COLORS]),
]
