import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** Name of a firmware's target: hubs, or a kind of device with its type code. */
export function useTargetName(): (target: string) => string {
  const t = useT()
  return (target) => {
    if (target === 'hub') return t('ota:hubs')
    const type = deviceType(target)
    return `${t(type ? `devices:kinds.${type.kind}` : 'devices:kinds.other')} (${target})`
  }
}
