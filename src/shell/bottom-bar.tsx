import AlertOutlined from '@ant-design/icons-svg/es/asn/AlertOutlined.js'
import AppstoreOutlined from '@ant-design/icons-svg/es/asn/AppstoreOutlined.js'
import DashboardOutlined from '@ant-design/icons-svg/es/asn/DashboardOutlined.js'
import MenuOutlined from '@ant-design/icons-svg/es/asn/MenuOutlined.js'
import PlayCircleOutlined from '@ant-design/icons-svg/es/asn/PlayCircleOutlined.js'
import type { IconDefinition } from '@ant-design/icons-svg/es/types'
import type { FC, ReactNode } from 'react'
import { NavLink } from 'react-router'
import { useCurrentHome } from '../data/homes.ts'
import { useSubject } from '../data/session.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { mayOpen } from '../navigation/may-open.ts'
import { paths, pathTo, type PathName } from '../navigation/paths.ts'
import { Icon } from '../ui/plain/icon.tsx'
import { useAlarmHomeId } from './alarm-scope.ts'

const PAGES: readonly {
  name: PathName
  label: 'dashboard' | 'devices' | 'alarms' | 'scenes'
  icon: IconDefinition
}[] = [
  { name: 'Dashboard', label: 'dashboard', icon: DashboardOutlined },
  { name: 'DeviceList', label: 'devices', icon: AppstoreOutlined },
  { name: 'Alarm', label: 'alarms', icon: AlertOutlined },
  { name: 'SceneList', label: 'scenes', icon: PlayCircleOutlined },
]

interface Props {
  openMenu: () => void
  /** Number of active alarms. */
  alarmBadge: ReactNode
}

/** Navigation of phones: the pages that are opened most, as far as the user may open them, and the side menu. */
export const BottomBar: FC<Props> = ({ openMenu, alarmBadge }) => {
  const t = useT()
  const subject = useSubject()
  const HomeID = useCurrentHome()?.HomeID
  const alarmHomeId = useAlarmHomeId()
  const reachable = PAGES.filter(
    ({ name }) => mayOpen(name, subject) === true && (!paths[name].needsHome || HomeID !== undefined),
  )
  return (
    <nav className="bottom-bar" aria-label={t('shell:bottomBar.label')}>
      {reachable.map(({ name, label, icon }) => (
        <NavLink key={name} to={pathTo(name, { HomeID: name === 'Alarm' ? alarmHomeId : HomeID })}>
          <Icon of={icon} />
          <span>{t(`shell:bottomBar.${label}`)}</span>
          {name === 'Alarm' && alarmBadge}
        </NavLink>
      ))}
      <button type="button" onClick={openMenu}>
        <Icon of={MenuOutlined} />
        <span>{t('shell:bottomBar.more')}</span>
      </button>
    </nav>
  )
}
