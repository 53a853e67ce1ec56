import type { AttentionItem } from '../../../../contract/attention/attention.ts'
import { pathTo } from '../../../navigation/paths.ts'

const query = (of: Record<string, string>) => `?${new URLSearchParams(of)}`

/** Address of the page on which to resolve an item; undefined if its subject no longer exists. */
export function pageOf(item: AttentionItem): string | undefined {
  const { HomeID, Subject, Kind, AlarmID, Stale } = item
  const list = pathTo('DeviceList', { HomeID })
  switch (Kind) {
    case 'rule':
      return `${pathTo('Alarm', { HomeID })}${query({ tab: 'live', alarm: AlarmID ?? '' })}`
    case 'demand':
      return `${pathTo('Electricity', { HomeID })}${query({ range: 'today', by: 'meter' })}`
    case 'quarantined':
      return pathTo('Meters', { HomeID })
    case 'hubLost':
      return `${list}${query({ kind: 'Hub', device: Subject })}`
    case 'neverSeen':
      return `${list}${query({ ...(item.IsHub && { kind: 'Hub' }), device: Subject })}`
    default:
      return Stale?.Why === 'removed' ? undefined : `${list}${query({ device: Subject })}`
  }
}
