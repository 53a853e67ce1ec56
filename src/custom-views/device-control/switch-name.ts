import { useT } from '../../providers/i18n.ts'

/** The name of a relay by its field: Switch, Switch1 … */
export function useSwitchName(): (field: string) => string {
  const t = useT()
  return (field) => {
    const number = field.slice('Switch'.length)
    return number ? t('devices:switchNumber', { number }) : t('devices:switch')
  }
}
