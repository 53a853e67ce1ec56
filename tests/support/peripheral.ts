import {
  answeredPeripheral,
  type AnsweredPeripheral,
  type Peripheral,
} from '../../contract/devices/peripheral.ts'

/** Device with default settings, at home h1 behind hub `hub`, with the given changes. */
export const aPeripheral = (
  overrides: Pick<Peripheral, 'PeripheralUID' | 'PeripheralType'> & Partial<Peripheral>,
): AnsweredPeripheral =>
  answeredPeripheral({
    PeripheralName: overrides.PeripheralUID,
    HomeID: 'h1',
    RoomID: 0,
    ThingName: 'hub',
    PowerMeterUpdateFrequency: 900,
    SilentAfter: null,
    ControlMode: 0,
    PulseDuration: null,
    PeripheralImageUrl: null,
    ParentMeter: null,
    Role: null,
    Voltage: null,
    PhaseElectricPower: null,
    RatedCurrent: null,
    IndexName: null,
    IndexColor: null,
    WarningThreshold: null,
    ValueLimits: null,
    LightHouseGroup: null,
    LightHouseThreshold: null,
    AbnormalBlinkRate: null,
    ModbusTableID: null,
    PMACAddress: null,
    ...overrides,
  })
