import type { FC } from 'react'
import { Link } from 'react-router'
import { pathTo } from '../../navigation/paths.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { ButtonLink } from '../plain/plain-button.tsx'

/** Link to adding devices, for users with the right to. */
export const AddDevicesLink: FC<{ homeId: string }> = ({ homeId }) => {
  const t = useT()
  const may = useMay('device', 'Create')
  if (!may) return null
  return (
    <ButtonLink main to={pathTo('AddDevices', { HomeID: homeId })}>
      {t('shell:pages.AddDevices')}
    </ButtonLink>
  )
}

interface ImportProps {
  homeId: string
  meter?: string
  className?: string
  /** Style of a button instead of a link. */
  button?: boolean
}

/** Link to the import of past energy, for users with the right to; into one meter if it is given. */
export const ImportLink: FC<ImportProps> = ({ homeId, meter, className, button = false }) => {
  const t = useT()
  const may = useMay('electricity', 'Update')
  if (!may) return null
  const search = meter === undefined ? '' : `?${new URLSearchParams({ meter })}`
  const Shown = button ? ButtonLink : Link
  return (
    <Shown to={pathTo('MeterImport', { HomeID: homeId }) + search} className={className}>
      {t('shell:pages.MeterImport')}
    </Shown>
  )
}
