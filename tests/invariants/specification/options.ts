import {
  AC_MODES,
  airConditioner,
  DEHUMIDIFIER_MODES,
  CLEAN_FILTER,
  ScheduleOff,
  BREATH_MODES,
  PRE_HEAT_COOL,
} from '../../../contract/devices/capabilities/taiseia.ts'
import {
  DOOR_STATES,
  MOTION_STATES,
  PRESENCE_STATES,
  SHOCK_STATES,
  SMOKE_STATES,
} from '../../../contract/devices/capabilities/sensors.ts'
import { CONTACT_MODES } from '../../../contract/devices/capabilities/switches.ts'
import {
  LIGHT_STATES,
  SENSOR_IDS,
  CALIBRATION_STEPS,
  LIGHT_TYPES,
} from '../../../contract/devices/capabilities/light-house.ts'
import { PHASE_SHIFTS } from '../../../contract/devices/capabilities/meter.ts'
import { type Choices, OnOff } from '../../../contract/devices/capabilities/capability.ts'
import { METER_TYPES } from '../../../contract/devices/kinds/registry.ts'
import { FEATURES, OPERATIONS } from '../../../contract/kernel/permissions.ts'
import { PERIOD_TYPES } from '../../../contract/energy/meter-data-calls.ts'
import { OTA_CODES } from '../../../contract/devices/ota-calls.ts'
import { IMAGE_TYPES } from '../../../contract/homes/upload-calls.ts'
import { AUTOMATION_TYPES } from '../../../contract/automation/automation.ts'
import { Peripheral, PULSE_DURATIONS } from '../../../contract/devices/peripheral.ts'
import {
  Conditions,
  END_DURATIONS,
  MAX_CONDITIONS,
  RETRIGGER_INTERVALS,
} from '../../../contract/automation/condition.ts'
import { TAIPOWER_PLANS } from '../../../contract/tariffs/taipower-plans.ts'
import { FORMATS } from '../../../src/custom-views/export/options.ts'
import { FromApp } from '../../../src/native/messages.ts'
import { LANGUAGES } from '../../../src/lib/i18n/words.ts'
import { type Fact, fact } from './fact.ts'

/** Choices as `value name`, in the order of their values. */
const named = (choices: Choices | undefined) =>
  [...(choices ?? [])].sort(([a], [b]) => a - b).map(([value, name]) => `${value} ${name}`)

/** Integers of a range that a schema accepts. */
const taken = (schema: { safeParse(value: unknown): { success: boolean } }, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((value) => schema.safeParse(value).success)

const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)

/** Sections 1, 3, 4, 6 and 9: lists of choices. */
export const OPTIONS: readonly Fact[] = [
  fact('§1 export formats', ['csv', 'json', 'xlsx'], () => [...FORMATS].sort()),
  fact(
    '§1 tariff types: residential and commercial, each standard, two-stage or three-stage',
    ['residential', 'commercial'].flatMap((kind) =>
      ['standard', 'two_stage', 'three_stage'].map((stage) => `${kind}_${stage}`),
    ),
    () =>
      TAIPOWER_PLANS.map(({ PlanID }) => PlanID).filter((id) =>
        /^(residential|commercial)_(?!.*_frozen$)/.test(id),
      ),
  ),
  fact(
    '§1 the native app asks for tokens, language and device info, and tells a token, language, device info, logout push, resume',
    [
      ...['requestTokens', 'requestLanguage', 'requestDeviceInfo'],
      ...['token', 'language', 'deviceInfo', 'logoutPush', 'resume'],
    ],
    // In addition, the protocol's own hello and the press of a notification.
    () => Object.keys(FromApp).filter((type) => type !== 'hello' && type !== 'openNotification'),
  ),
  fact('§3 meter types', ['513', '514', '518', '519', '520', '521', '522', '526', '528'], () => METER_TYPES),
  fact('§4 switches: off 0, on 1', [0, 1], () => taken(OnOff, -5, 5)),
  fact('§4 dry contact modes', ['0 pulse', '1 switch', '2 toggle'], () => named(CONTACT_MODES)),
  fact('§4 air conditioner modes', ['0 cooling', '1 dehumidify', '2 fan', '3 auto', '4 heat'], () =>
    named(AC_MODES),
  ),
  fact('§4 dehumidifier modes 0-8', range(0, 8), () => DEHUMIDIFIER_MODES.map(([value]) => value)),
  fact('§4 breath modes 0-2', range(0, 2), () => BREATH_MODES.map(([value]) => value)),
  fact('§4 pre heat/cool: none, 30, 60 minutes', ['0 none', '1 minutes30', '2 minutes60'], () =>
    named(PRE_HEAT_COOL),
  ),
  fact('§4 moisturizing', ['0 none', '1 low', '2 high'], () =>
    named(airConditioner.choices?.['Moisturizing']),
  ),
  fact('§4 panel', ['0 panelLight', '1 panelDim', '2 panelOff', '3 panelAllOff'], () =>
    named(airConditioner.choices?.['Panel']),
  ),
  fact('§4 clean filter', ['0 filterNormal', '1 filterNeedsCleaning'], () => named(CLEAN_FILTER)),
  fact('§4 phase shift', ['0 none', '1 lag', '2 lead'], () => named(PHASE_SHIFTS)),
  fact('§4 motion', ['0 noMotion', '1 motion'], () => named(MOTION_STATES)),
  fact('§4 presence sensor', ['0 noHuman', '1 human'], () => named(PRESENCE_STATES)),
  fact('§4 door', ['1 doorClosed', '2 doorOpen'], () => named(DOOR_STATES)),
  fact('§4 smoke', ['1 smokeNormal', '2 smoke', '3 fire', '4 smokeInstallation', '5 smokeFault'], () =>
    named(SMOKE_STATES),
  ),
  fact('§4 shock', ['1 noShock', '2 shock'], () => named(SHOCK_STATES)),
  fact('§4 lighthouse sensor', ['0 noLight', '1 lit', '2 flashing'], () => named(LIGHT_STATES)),
  fact('§4 OTA outcome codes', range(0, 5), () => OTA_CODES),
  fact('§4 calibration: light type', ['column', 'stacked'], () => LIGHT_TYPES),
  fact(
    '§4 calibration: initialize, lights on, lights off, memorize, success or failure',
    ['initialized', 'lightsOn', 'lightsOff', 'memorizing', 'finished'],
    () => CALIBRATION_STEPS.filter((step) => step !== 'idle'),
  ),
  fact(
    '§6 feature keys',
    [
      ['dashboard', 'home', 'device', 'room', 'group', 'scene', 'user', 'conference_room', 'schedule'],
      ['smart_link', 'power_meter_alarm', 'history', 'history_download', 'electricity'],
      ['electricity_download', 'company', 'access_control_visitor', 'access_control_employee'],
      ['access_control_scanner', 'ota', 'device_control'],
    ].flat(),
    () => FEATURES,
  ),
  fact(
    '§6, §9 operations in their order',
    ['Read', 'Create', 'Update', 'Delete', 'Export', 'Control'],
    () => OPERATIONS,
  ),
  fact('§7 PeriodType', { hourly: 1, daily: 2, monthly: 4 }, () => PERIOD_TYPES),
  fact('§9 schedule-off options: 0 to 99 hours', range(0, 99), () => taken(ScheduleOff, -10, 200)),
  fact('§9 timers: 60 to 1440 minutes in hour steps; 0 sets none', [0, ...range(60, 1440, 60)], () =>
    taken(airConditioner.command['OffTimer'] as never, -60, 1600),
  ),
  fact('§9 pulse-time options: 1, 5, 10, 15 minutes', [60, 300, 600, 900], () => PULSE_DURATIONS),
  fact('§9 pulse times that a device takes', [60, 300, 600, 900], () =>
    taken(Peripheral.shape.PulseDuration, 0, 1000),
  ),
  fact('§5, §9 logo: JPG, PNG or webp', ['image/jpeg', 'image/png', 'image/webp'], () => IMAGE_TYPES),
  fact('§3 automation types', range(1, 5), () => AUTOMATION_TYPES),
  fact('§3 conditions of an automation', ['PeripheralUIDs', 'Logical', 'RetriggerInterval', 'Period'], () =>
    ['PeripheralUIDs', 'Logical', 'RetriggerInterval', 'Period'].filter((part) => part in Conditions.shape),
  ),
  fact('§5, §9 at most 8 automation conditions', 8, () => MAX_CONDITIONS),
  fact('§9 trigger frequency options', [5, 10, 20, 30, 60, 120, 180, 240, 300], () => RETRIGGER_INTERVALS),
  fact(
    '§9 end duration options',
    [
      0, 60, 120, 180, 240, 300, 600, 900, 1200, 1800, 2100, 2400, 2700, 3000, 3300, 3600, 7200, 10800, 14400,
      18000,
    ],
    () => END_DURATIONS,
  ),
  fact('§9 locales', ['zh-TW', 'en-US'], () => LANGUAGES),
  fact('§9 lighthouse: five sensors', range(1, 5), () => SENSOR_IDS),
]
