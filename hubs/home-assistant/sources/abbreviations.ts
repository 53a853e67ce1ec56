import { isRecord } from '../../../contract/kernel/is-record.ts'

/** Abbreviated keys of discovery payloads and their full names; only those that the bridge reads. */
const KEYS: Record<string, string> = {
  atype: 'automation_type',
  avty: 'availability',
  avty_mode: 'availability_mode',
  avty_t: 'availability_topic',
  avty_tpl: 'availability_template',
  bri_cmd_t: 'brightness_command_topic',
  bri_cmd_tpl: 'brightness_command_template',
  bri_scl: 'brightness_scale',
  bri_stat_t: 'brightness_state_topic',
  bri_val_tpl: 'brightness_value_template',
  cmd_t: 'command_topic',
  cmd_tpl: 'command_template',
  cmps: 'components',
  curr_hum_t: 'current_humidity_topic',
  curr_hum_tpl: 'current_humidity_template',
  curr_temp_t: 'current_temperature_topic',
  curr_temp_tpl: 'current_temperature_template',
  dev: 'device',
  dev_cla: 'device_class',
  ent_cat: 'entity_category',
  evt_typ: 'event_types',
  exp_aft: 'expire_after',
  fan_mode_cmd_t: 'fan_mode_command_topic',
  fan_mode_cmd_tpl: 'fan_mode_command_template',
  fan_mode_stat_t: 'fan_mode_state_topic',
  fan_mode_stat_tpl: 'fan_mode_state_template',
  hum_cmd_t: 'target_humidity_command_topic',
  hum_cmd_tpl: 'target_humidity_command_template',
  hum_stat_t: 'target_humidity_state_topic',
  hum_state_tpl: 'target_humidity_state_template',
  mode_cmd_t: 'mode_command_topic',
  mode_cmd_tpl: 'mode_command_template',
  mode_stat_t: 'mode_state_topic',
  mode_stat_tpl: 'mode_state_template',
  o: 'origin',
  obj_id: 'object_id',
  off_dly: 'off_delay',
  on_cmd_type: 'on_command_type',
  p: 'platform',
  pct_cmd_t: 'percentage_command_topic',
  pct_cmd_tpl: 'percentage_command_template',
  pct_stat_t: 'percentage_state_topic',
  pct_val_tpl: 'percentage_value_template',
  pl: 'payload',
  pl_avail: 'payload_available',
  pl_cls: 'payload_close',
  pl_not_avail: 'payload_not_available',
  pl_off: 'payload_off',
  pl_on: 'payload_on',
  pl_open: 'payload_open',
  pl_stop: 'payload_stop',
  pos_clsd: 'position_closed',
  pos_open: 'position_open',
  pos_t: 'position_topic',
  pos_tpl: 'position_template',
  pow_cmd_t: 'power_command_topic',
  pow_cmd_tpl: 'power_command_template',
  set_pos_t: 'set_position_topic',
  set_pos_tpl: 'set_position_template',
  spd_rng_max: 'speed_range_max',
  spd_rng_min: 'speed_range_min',
  stat_cla: 'state_class',
  stat_closing: 'state_closing',
  stat_clsd: 'state_closed',
  stat_off: 'state_off',
  stat_on: 'state_on',
  stat_open: 'state_open',
  stat_opening: 'state_opening',
  stat_stopped: 'state_stopped',
  stat_t: 'state_topic',
  stat_tpl: 'state_template',
  stat_val_tpl: 'state_value_template',
  stype: 'subtype',
  sup_clrm: 'supported_color_modes',
  t: 'topic',
  temp_cmd_t: 'temperature_command_topic',
  temp_cmd_tpl: 'temperature_command_template',
  temp_stat_t: 'temperature_state_topic',
  temp_stat_tpl: 'temperature_state_template',
  temp_unit: 'temperature_unit',
  uniq_id: 'unique_id',
  unit_of_meas: 'unit_of_measurement',
  val_tpl: 'value_template',
}
const DEVICE_KEYS: Record<string, string> = {
  cns: 'connections',
  ids: 'identifiers',
  mdl: 'model',
  mf: 'manufacturer',
  mdl_id: 'model_id',
  via_dev: 'via_device',
}

type Fields = Record<string, unknown>

const renamed = (fields: Fields, names: Record<string, string>): Fields => {
  const result: Fields = {}
  for (const [key, value] of Object.entries(fields)) {
    const name = Object.hasOwn(names, key) ? (names[key] as string) : key
    // A full key wins over its abbreviation.
    if (name === key || !Object.hasOwn(fields, name)) result[name] = value
  }
  return result
}

/** Replaces the abbreviated keys of a discovery payload by full names, and `~` at either end of a topic by the base topic. */
export function expand(payload: Fields): Fields {
  const config = renamed(payload, KEYS)
  if (isRecord(config['device'])) config['device'] = renamed(config['device'], DEVICE_KEYS)
  if (Array.isArray(config['availability']))
    config['availability'] = config['availability'].map((one) => (isRecord(one) ? renamed(one, KEYS) : one))
  else if (isRecord(config['availability'])) config['availability'] = [renamed(config['availability'], KEYS)]
  const base = config['~']
  if (typeof base === 'string') {
    rebase(config, base)
    if (Array.isArray(config['availability']))
      for (const one of config['availability']) if (isRecord(one)) rebase(one, base)
  }
  delete config['~']
  return config
}

function rebase(fields: Fields, base: string): void {
  for (const [key, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || !(key === 'topic' || key.endsWith('_topic'))) continue
    if (value.startsWith('~')) fields[key] = base + value.slice(1)
    else if (value.endsWith('~')) fields[key] = value.slice(0, -1) + base
  }
}
