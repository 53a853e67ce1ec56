import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { statuses } from '../../../data/status-store.ts'
import { useDeviceFieldWords } from '../../devices/field-words.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { actionsOf, type DescribedAction } from '../words/actions-sentence.ts'
import { formatPhrase } from '../words/phrase.ts'
import { roomSettings, settable, valueOf, type Setting } from '../targets/settable.ts'
import { isTargetMissing, targetTypeOf, editedTarget, type EditedAction } from '../targets/target.ts'
import type { ActionFacts } from '../targets/use-action-facts.ts'

export interface ActionWords {
  /** Name of the target, e.g. a device's name, or a room's lights. */
  nameOf: (action: EditedAction) => string
  /** Room of a device, or number of devices in a group; '' for other targets. */
  placeOf: (action: EditedAction) => string
  /** Name of a setting, with the zone of a thermostat. */
  settingName: (setting: Setting) => string
  /** Values in words, each with its field. */
  valuesOf: (settings: readonly Setting[], values: CommandValues | undefined) => string
  /** Target and effect of an action, for use in a sentence. */
  actionOf: (action: EditedAction) => DescribedAction
  lineOf: (action: EditedAction) => string
}

/** Names of targets and values of actions in the user's language. */
export function useActionWords(facts: ActionFacts): ActionWords {
  const t = useT()
  const fields = useDeviceFieldWords()
  const { devices, groups, rooms, scenes } = facts
  const roomName = (RoomID: number) => rooms.find((room) => room.RoomID === RoomID)?.RoomName

  const nameOf = (action: EditedAction): string => {
    const target = editedTarget(action)
    switch (target.kind) {
      case 'device':
        return devices.get(target.PeripheralUID)?.PeripheralName ?? target.PeripheralUID
      case 'group':
        return groups.get(target.GroupID)?.GroupName ?? t('automation:actions.group')
      case 'scene':
        return scenes.get(target.SceneID)?.SceneName ?? t('automation:actions.scene')
      case 'room':
        return t(`automation:actions.room.${target.Only}`, {
          room: roomName(target.RoomID) ?? t('automation:actions.goneRoom'),
        })
    }
  }
  const placeOf = (action: EditedAction): string => {
    const target = editedTarget(action)
    if (isTargetMissing(target, facts)) return ''
    if (target.kind === 'device') {
      const device = devices.get(target.PeripheralUID)
      return (device && roomName(device.RoomID)) ?? ''
    }
    if (target.kind !== 'group') return ''
    const count = groups.get(target.GroupID)?.PeripheralList.length
    return count === undefined ? '' : t('automation:actions.members', { count })
  }
  const settingName = ({ capability, field, node, register }: Setting): string => {
    if (register) return register.Label
    const name = fields.nameOf(capability, field)
    return node === undefined
      ? name
      : t('automation:actions.zoneField', { zone: t('devices:climate.zone', { number: node }), field: name })
  }
  const valuesOf: ActionWords['valuesOf'] = (settings, values) =>
    settings
      .flatMap((setting) => {
        const value = valueOf(setting, values)
        if (value === undefined) return []
        const text = fields.valueOf(setting.capability, setting.field, value) ?? String(value)
        // A target with an on/off switch only needs no field name.
        return settings.length === 1 && setting.shape.as === 'onOff'
          ? [text]
          : [t('devices:commands.set', { field: settingName(setting), value: text })]
      })
      .join(t('screens:listComma'))
  const actionOf: ActionWords['actionOf'] = (action) => {
    const target = editedTarget(action)
    const name =
      target.kind === 'room'
        ? t(`automation:rule.ofRoom.${target.Only}`, {
            room: roomName(target.RoomID) ?? t('automation:actions.goneRoom'),
          })
        : nameOf(action)
    if (target.kind === 'scene') return { name, effect: 'run' }
    const settings = settingsOf(action, facts)
    const presentSettings = settings.filter((setting) => valueOf(setting, action.Values) !== undefined)
    const [switches, otherSettings] = [
      presentSettings.filter(isSwitch),
      presentSettings.filter((setting) => !isSwitch(setting)),
    ]
    const switchValue = commonValueOf(switches, action.Values)
    const setsAllSwitches = switchValue !== undefined && switches.length === settings.filter(isSwitch).length
    if (setsAllSwitches && otherSettings.length === 0)
      return { name, effect: switchValue === 1 ? 'on' : 'off' }
    const isOn = switches.length === 0 || (setsAllSwitches && switchValue === 1)
    const [onlyOther] = otherSettings
    const level = isOn && otherSettings.length === 1 && onlyOther && figureOf(onlyOther, action.Values)
    if (level && onlyOther.field === 'Brightness') return { name, effect: { level } }
    if (setsAllSwitches && switchValue === 1)
      return {
        name,
        effect: {
          on:
            level && onlyOther.field === 'TargetTemperature' ? level : valuesOf(otherSettings, action.Values),
        },
      }
    const values = valuesOf(presentSettings.length > 1 ? presentSettings : settings, action.Values)
    return { name, effect: { values: values || t('automation:rule.unknownValues') } }
  }
  const lineOf = (action: EditedAction): string => {
    const sentence = formatPhrase(t, actionsOf([action], { actionOf }))
    return sentence.charAt(0).toUpperCase() + sentence.slice(1)
  }
  const figureOf = (setting: Setting, values: CommandValues | undefined) =>
    fields.valueOf(setting.capability, setting.field, valueOf(setting, values))
  return { nameOf, placeOf, settingName, valuesOf, actionOf, lineOf }
}

/** Whether a setting switches its target, or one relay of it. */
const isSwitch = ({ field, node, register, shape }: Setting): boolean =>
  node === undefined && register === undefined && shape.as === 'onOff' && /^(On|Switch[1-3]?)$/.test(field)

/** Value that all settings have in common; undefined if they differ or have none. */
function commonValueOf(settings: readonly Setting[], values: CommandValues | undefined): number | undefined {
  const distinctValues = new Set(settings.map((setting) => valueOf(setting, values)))
  return distinctValues.size === 1 ? [...distinctValues][0] : undefined
}

/** Settings that are available for an action, given the last status of its device. */
export function settingsOf(action: EditedAction, facts: ActionFacts): Setting[] {
  const target = editedTarget(action)
  if (target.kind === 'room') return roomSettings(target.Only)
  const targetType = targetTypeOf(target, facts)
  if (!targetType) return []
  const status = targetType.uid === undefined ? undefined : statuses.get(targetType.uid)
  // Devices of a group may have different tables.
  const rows = target.kind === 'device' ? facts.registers?.get(target.PeripheralUID) : undefined
  return settable(targetType.type, status, action.Values, rows)
}
