import { SIMULATED_ROWS } from '../models/meters.ts'

const LABELS: Readonly<Record<string, string>> = {
  voltage: '電壓',
  current: '電流',
  power: '有效功率',
  power_total: '總有效功率',
  power_factor_total: '總功率因數',
  frequency: '頻率',
  import_energy: '累計用電量',
  alarm_limit: '警報上限',
}

const labelOf = (key: string): string => {
  const [, stem = key, line] = /^(.*)_l([123])$/.exec(key) ?? []
  return line ? `${LABELS[stem]} L${line}` : (LABELS[key] ?? key)
}

/** Table of the registers of the simulated Modbus devices. */
export const demoModbusTable = {
  TableName: '示範三相電表',
  Manufacturer: 'Eastron',
  Model: 'SDM630',
  Note: '示範用：數值由模擬器產生。',
  Rows: SIMULATED_ROWS.map((row) => ({ ...row, Label: labelOf(row.Key) })),
}
