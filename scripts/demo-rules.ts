import type { RequestOf } from '../contract/kernel/define-endpoint.ts'
import type { automation } from '../contract/automation/automation.ts'
import type { scene } from '../contract/automation/scene.ts'

type GivenRule = RequestOf<typeof automation.operations.create>
type GivenScene = RequestOf<typeof scene.operations.create>
type GivenAction = GivenRule['Actions'][number]
type GivenCondition = NonNullable<GivenRule['Conditions']>['PeripheralUIDs'][number]

/** The demo's records by name; an unknown name is an error in the plan. */
export interface Names {
  device(name: string): { PeripheralUID: string; switches: readonly string[] }
  room(name: string): number
  scene(name: string): string
  group(name: string): string
  conferenceRoom(name: string): string
  /** Contract capacity of the home in kW. */
  contract: number
}

type Rule = Omit<GivenRule, 'HomeID'>
export interface DemoRules {
  HomeName: string
  /** Devices of one type each. */
  groups: readonly (readonly [name: string, devices: readonly string[]])[]
  scenes: readonly (readonly [
    name: string,
    icon: GivenScene['Icon'],
    (names: Names) => GivenScene['Actions'],
  ])[]
  rules: readonly ((names: Names) => Rule)[]
  /** Rules of type 4. */
  alarms: readonly ((names: Names) => Rule)[]
}

const WORKDAYS = [1, 2, 3, 4, 5]
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]
const at = (hour: number, minute = 0) => hour * 60 + minute

/** Every relay of a device, on or off. */
function switchDevice(names: Names, device: string, value: 0 | 1) {
  const { PeripheralUID, switches } = names.device(device)
  return { PeripheralUID, Values: Object.fromEntries(switches.map((field) => [field, value])) }
}
const dimmed = (names: Names, device: string, Brightness: number) => ({
  PeripheralUID: names.device(device).PeripheralUID,
  Values: Brightness > 0 ? { Switch: 1, Brightness } : { Switch: 0 },
})
const lights = (names: Names, room: string, On: 0 | 1) => ({
  RoomID: names.room(room),
  Only: 'lights' as const,
  Values: { On },
})
const when = (
  names: Names,
  device: string,
  Field: string,
  Status: number,
  Logical: GivenCondition['Logical'] = '=',
): GivenCondition => ({ PeripheralUID: names.device(device).PeripheralUID, Field, Logical, Status })

const schedule = (
  AutomationName: string,
  Schedule: NonNullable<GivenRule['Schedule']>,
  Actions: GivenAction[],
): Rule => ({ AutomationType: 1, AutomationName, Schedule, Actions })

/** An alarm: its condition, and the seconds for which that must hold. */
const alarm = (
  AutomationName: string,
  condition: GivenCondition,
  For: number,
  more: Partial<NonNullable<GivenRule['Alarm']>> = {},
): Rule => ({
  AutomationType: 4,
  AutomationName,
  Conditions: { PeripheralUIDs: [condition], For },
  Actions: [],
  Alarm: { Severity: 'warning', ...more },
})

/** Condition: the demand forecast of a home's main meters exceeds a share of the contract capacity, until it falls below another share. */
function forecastAbove({ contract }: Names, share: number, clear: number): GivenCondition {
  return {
    PeripheralUID: 'home',
    Field: 'DemandForecast',
    Logical: '>',
    Status: Math.round(contract * share),
    Clear: Math.round(contract * clear),
  }
}

/** A light that is on while its room is occupied and some minutes longer. */
const motionLight = (
  names: Names,
  AutomationName: string,
  sensor: string,
  light: string,
  minutes: 5 | 10,
): Rule => ({
  AutomationType: 3,
  AutomationName,
  Conditions: { PeripheralUIDs: [when(names, sensor, 'MotionState', 1)] },
  Actions: [switchDevice(names, light, 1)],
  EndDuration: minutes === 5 ? 300 : 600,
  EndActions: [switchDevice(names, light, 0)],
})

const NEIHU: DemoRules = {
  HomeName: '內湖總部',
  groups: [
    ['三樓天花板燈', ['業務部天花板燈', '行銷部天花板燈', '大會議室燈']],
    ['五樓研發部天花板燈', ['研發部天花板燈（北）', '研發部天花板燈（南）']],
  ],
  scenes: [
    [
      '上班',
      'arrive',
      (names) => [
        switchDevice(names, '大廳主燈', 1),
        dimmed(names, '大廳間接照明', 80),
        lights(names, '三樓業務部', 1),
      ],
    ],
    [
      '下班',
      'leave',
      (names) => [
        ...[
          '三樓業務部',
          '三樓行銷部',
          '三樓大會議室',
          '三樓茶水間',
          '五樓研發部',
          '五樓管理部',
          '五樓小會議室',
        ].map((room) => lights(names, room, 0)),
        dimmed(names, '大廳間接照明', 20),
      ],
    ],
    [
      '簡報',
      'presentation',
      (names) => [
        switchDevice(names, '大會議室燈', 0),
        switchDevice(names, '投影布幕前燈', 0),
        dimmed(names, '大會議室調光燈', 20),
      ],
    ],
    [
      '開會',
      'meeting',
      (names) => [switchDevice(names, '大會議室燈', 1), dimmed(names, '大會議室調光燈', 80)],
    ],
  ],
  rules: [
    (names) =>
      schedule('日落開招牌燈', { Weekdays: EVERY_DAY, At: { Sun: 'sunset', Offset: -10 }, OffAfter: 5 }, [
        switchDevice(names, '招牌燈', 1),
      ]),
    (names) =>
      schedule('工作日上班', { Weekdays: WORKDAYS, At: at(8, 20), Days: 'workdays' }, [
        { SceneID: names.scene('上班') },
      ]),
    (names) =>
      schedule('工作日下班', { Weekdays: WORKDAYS, At: at(21, 30), Days: 'workdays' }, [
        { SceneID: names.scene('下班') },
      ]),
    (names) =>
      schedule('週末巡檢關燈', { Weekdays: [0, 6], At: at(22) }, [
        { GroupID: names.group('三樓天花板燈'), Values: { Switch1: 0, Switch2: 0, Switch3: 0 } },
        { GroupID: names.group('五樓研發部天花板燈'), Values: { Switch1: 0, Switch2: 0, Switch3: 0 } },
      ]),
    (names) => motionLight(names, '停車場有人亮燈', '車道人體感測', '停車場燈', 5),
    (names) => ({
      AutomationType: 3,
      AutomationName: '接待室沒人關燈',
      Conditions: { PeripheralUIDs: [when(names, '接待室存在感測', 'MotionState', 0)], For: 600 },
      Actions: [switchDevice(names, '接待室燈', 0)],
    }),
    (names) => ({
      AutomationType: 5,
      AutomationName: '夜間研發部沒人關燈',
      Conditions: {
        PeripheralUIDs: [
          when(names, '研發部人體感測（北）', 'MotionState', 0),
          when(names, '研發部人體感測（南）', 'MotionState', 0),
          when(names, '研發部存在感測', 'MotionState', 0),
        ],
        For: 900,
        Period: [{ Weekdays: EVERY_DAY, From: at(18, 30), To: at(7) }],
      },
      Actions: [
        { GroupID: names.group('五樓研發部天花板燈'), Values: { Switch1: 0, Switch2: 0, Switch3: 0 } },
      ],
    }),
    (names) => ({
      AutomationType: 5,
      AutomationName: '大會議室有人且空氣差就換氣',
      Conditions: {
        PeripheralUIDs: [
          when(names, '大會議室存在感測', 'MotionState', 1),
          { ...when(names, '大會議室空氣品質', 'PM25', 20, '>'), Clear: 15 },
        ],
        For: 120,
      },
      Actions: [
        { PeripheralUID: names.device('三樓全熱交換器').PeripheralUID, Values: { Switch: 1, FanSpeed: 1 } },
      ],
      EndDuration: 900,
    }),
    (names) => ({
      AutomationType: 1,
      AutomationName: '小會議室開會前開冷氣',
      Booking: { ConferenceRoomID: names.conferenceRoom('五樓小會議室'), When: 'before', Minutes: 15 },
      Actions: [
        {
          PeripheralUID: names.device('小會議室冷氣').PeripheralUID,
          Values: { Switch: 1, TargetTemperature: 26 },
        },
      ],
    }),
    (names) => ({
      AutomationType: 1,
      AutomationName: '大會議室釋出後關燈',
      Booking: { ConferenceRoomID: names.conferenceRoom('三樓大會議室'), When: 'release', Minutes: 0 },
      Actions: [lights(names, '三樓大會議室', 0)],
    }),
  ],
  alarms: [
    (names) => alarm('需量接近契約容量', forecastAbove(names, 0.95, 0.9), 60),
    (names) =>
      alarm('冰水主機功率過高', { ...when(names, '冰水主機', 'Power', 72_000, '>'), Clear: 66_000 }, 600),
    (names) =>
      alarm('伺服器機櫃斷電', when(names, '伺服器機櫃', 'Power', 2_000, '<'), 30, {
        Severity: 'critical',
        Escalate: [{ After: 10, To: 'readers' }],
      }),
    (names) => alarm('一樓智慧電表沒有回報', when(names, '一樓智慧電表', 'SilentFor', 120, '>'), 180),
  ],
}

const TAICHUNG: DemoRules = {
  HomeName: '台中精機園區工廠',
  groups: [['一號線高天井燈', ['一號線高天井燈（前段）', '一號線高天井燈（後段）']]],
  scenes: [
    ['停工', 'factory', (names) => ['一號生產線', '二號生產線'].map((room) => lights(names, room, 0))],
  ],
  rules: [
    (names) => motionLight(names, '碼頭有人亮燈', '碼頭人體感測', '碼頭燈', 10),
    (names) => motionLight(names, '揀貨區有人亮燈', '揀貨區人體感測', '揀貨區燈', 10),
    (names) => ({
      AutomationType: 5,
      AutomationName: '一號線沒人關高天井燈',
      Conditions: {
        PeripheralUIDs: [
          when(names, '一號線人體感測（前段）', 'MotionState', 0),
          when(names, '一號線人體感測（後段）', 'MotionState', 0),
        ],
        For: 1200,
      },
      Actions: [{ GroupID: names.group('一號線高天井燈'), Values: { Switch1: 0, Switch2: 0, Switch3: 0 } }],
    }),
  ],
  alarms: [
    (names) => alarm('需量接近契約容量', forecastAbove(names, 0.95, 0.9), 60),
    (names) =>
      alarm(
        '冷藏庫壓縮機運轉過久',
        { ...when(names, '冷藏庫壓縮機', 'Power', 16_000, '>'), Clear: 15_000 },
        900,
      ),
    (names) =>
      alarm(
        '一號空壓機電流過高',
        { ...when(names, '一號空壓機', 'AvgElectricCurrent', 105, '>'), Clear: 98 },
        60,
        { Severity: 'critical' },
      ),
  ],
}

const KAOHSIUNG: DemoRules = {
  HomeName: '高雄分公司',
  groups: [],
  scenes: [
    [
      '打烊',
      'leave',
      (names) => [
        lights(names, '展示間', 0),
        lights(names, '業務辦公區', 0),
        switchDevice(names, '櫥窗燈', 1),
      ],
    ],
  ],
  rules: [
    (names) =>
      schedule('日落開櫥窗燈', { Weekdays: EVERY_DAY, At: { Sun: 'sunset', Offset: 0 }, OffAfter: 4 }, [
        switchDevice(names, '櫥窗燈', 1),
      ]),
    (names) => ({
      AutomationType: 3,
      AutomationName: '服務鈴亮會議室燈',
      Conditions: {
        PeripheralUIDs: [
          { PeripheralUID: names.device('會議室服務鈴').PeripheralUID, Field: 'Presses', Logical: 'changed' },
        ],
      },
      Actions: [switchDevice(names, '會議室燈', 1)],
      EndDuration: 600,
    }),
    (names) => ({
      AutomationType: 3,
      AutomationName: '展示間沒人調暗展示台',
      Conditions: { PeripheralUIDs: [when(names, '展示間存在感測', 'MotionState', 0)], For: 300 },
      Actions: [dimmed(names, '展示台調光燈', 0)],
    }),
  ],
  alarms: [
    (names) =>
      alarm('尖峰時先停充電樁', forecastAbove(names, 0.95, 0.85), 0, {
        // Shed loads are restored below the same 85 %.
        ClearAfter: 180,
        Shed: {
          Loads: ['電熱水器', '一號充電樁', '二號充電樁', '三號充電樁', '四號充電樁', '五號充電樁'].map(
            (name) => ({
              ...switchDevice(names, name, 0),
              MinOff: 240,
            }),
          ),
        },
      }),
    (names) =>
      alarm('充電區功率過高', { ...when(names, '充電區總電表', 'Power', 50_000, '>'), Clear: 40_000 }, 60),
  ],
}

const TAINAN: DemoRules = {
  HomeName: '台南物流中心',
  groups: [['理貨區高天井燈', ['理貨區高天井燈（東）', '理貨區高天井燈（西）']]],
  scenes: [['收班', 'leave', (names) => ['理貨區', '洽談室'].map((room) => lights(names, room, 0))]],
  rules: [],
  alarms: [
    (names) => alarm('需量接近契約容量', forecastAbove(names, 0.95, 0.9), 60),
    (names) =>
      alarm('冷藏庫冷凍機斷電', when(names, '冷藏庫冷凍機', 'Power', 1_000, '<'), 60, {
        Severity: 'critical',
      }),
  ],
}

/** Groups, scenes, automations and alarms of the demo's homes; simulated people trigger them many times a day. */
export const DEMO_RULES: readonly DemoRules[] = [NEIHU, TAICHUNG, KAOHSIUNG, TAINAN]
