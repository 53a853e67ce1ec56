import BellOutlined from '@ant-design/icons-svg/es/asn/BellOutlined.js'
import GlobalOutlined from '@ant-design/icons-svg/es/asn/GlobalOutlined.js'
import MenuOutlined from '@ant-design/icons-svg/es/asn/MenuOutlined.js'
import SearchOutlined from '@ant-design/icons-svg/es/asn/SearchOutlined.js'
import UserOutlined from '@ant-design/icons-svg/es/asn/UserOutlined.js'
import { useLocation, useNavigate } from 'react-router'
import { displayName } from '../../contract/kernel/text.ts'
import { signOut } from '../live/sign-out.ts'
import { setCurrentHome } from '../data/current-home.ts'
import { homesByName, useCurrentHome, useHomes } from '../data/homes.ts'
import { changeLanguage, useLanguage, useT } from '../lib/i18n/i18n.ts'
import { LANGUAGES } from '../lib/i18n/words.ts'
import { useStore } from '../lib/store.ts'
import { useBell } from '../data/notices.ts'
import { useMay, useMe, useSubject } from '../data/session.ts'
import { unread as unreadNotifications } from '../data/unread.ts'
import { pathTo } from '../navigation/paths.ts'
import { Icon } from '../ui/plain/icon.tsx'
import { MenuButton, type MenuItem } from '../ui/page/menu-button.tsx'
import { chooseDensity, DENSITIES, useDensity } from '../ui/theme/density.ts'
import { chooseTheme, THEME_CHOICES, useThemeChoice } from '../ui/theme/theme-mode.ts'
import { useIsOfAllHomes } from './alarm-scope.ts'
import { afterHomeChoice } from './home-navigation.ts'
import { personalPages } from './offered-pages.ts'
import { SHORTCUT } from './shortcuts.ts'

/** Header of §2: home selector, search, notifications, language and the personal menu. */
export function Header({
  onMenu,
  onSearch,
  onBell,
  onAbout,
}: {
  onMenu: () => void
  onSearch: () => void
  onBell: () => void
  onAbout: () => void
}) {
  const t = useT()
  const languages = useLanguageItems()
  return (
    <header className="shell-header">
      <button
        type="button"
        className="header-button menu-button"
        aria-label={t('shell:menu.open')}
        onClick={onMenu}
      >
        <Icon of={MenuOutlined} />
      </button>
      <HomeSelector />
      <span className="spacer" />
      <button
        type="button"
        className="header-button search-button"
        // The accessible name contains the visible text (WCAG 2.5.3).
        aria-label={t('shell:header.searchLabel', { shortcut: SHORTCUT })}
        aria-keyshortcuts="Control+K Meta+K"
        title={t('shell:header.searchHint', { shortcut: SHORTCUT })}
        onClick={onSearch}
      >
        <Icon of={SearchOutlined} />
        <span className="search-words" aria-hidden="true">
          {t('shell:header.searchOrRun')}
        </span>
        <kbd className="search-words" aria-hidden="true">
          {SHORTCUT}
        </kbd>
      </button>
      <Bell onOpen={onBell} />
      <MenuButton
        className="wide-only"
        label={t('shell:header.language')}
        icon={<Icon of={GlobalOutlined} />}
        sections={[{ key: 'languages', items: languages }]}
      />
      <PersonalMenu onAbout={onAbout} />
    </header>
  )
}

/** Value of the option for all homes; a HomeID is never empty. */
const ALL = ''

/**
 * Native select: phones show their own picker, and typing finds options; the search finds any home. The dashboard shows all homes of the
 * company.
 */
function HomeSelector() {
  const t = useT()
  const homes = useHomes()
  const current = useCurrentHome()
  const navigate = useNavigate()
  const mayDashboard = useMay('dashboard', 'Read')
  const { pathname } = useLocation()
  const isOfAll = useIsOfAllHomes()
  if (!homes) return null
  if (homes.length === 0) return <span className="no-home">{t('shell:home.none')}</span>
  return (
    <select
      className="home-selector"
      aria-label={t('shell:home.select')}
      value={isOfAll ? ALL : (current?.HomeID ?? '')}
      onChange={(event) => {
        if (event.target.value === ALL) return void navigate(pathTo('Dashboard'))
        setCurrentHome(event.target.value)
        void navigate(afterHomeChoice(pathname, event.target.value))
      }}
    >
      {homes.length > 1 && mayDashboard && <option value={ALL}>{t('shell:home.all')}</option>}
      {homesByName(homes).map((home) => (
        <option key={home.HomeID} value={home.HomeID}>
          {home.HomeName}
        </option>
      ))}
    </select>
  )
}

function Bell({ onOpen }: { onOpen: () => void }) {
  const t = useT()
  const failed = useBell().filter((notice) => !notice.read).length
  const unread = useStore(unreadNotifications) + failed
  const label = unread > 0 ? t('shell:header.bellCount', { count: unread }) : t('shell:header.bell')
  return (
    <button type="button" className="header-button bell" aria-label={label} title={label} onClick={onOpen}>
      <Icon of={BellOutlined} />
      {/* Without a number: it counts other things than the alarms of the menu and of the dashboard. */}
      {unread > 0 && <span className="bell-dot" aria-hidden="true" />}
    </button>
  )
}

function useLanguageItems(): MenuItem[] {
  const t = useT()
  const current = useLanguage()
  return LANGUAGES.map((key) => ({
    key,
    lang: key,
    label: t(`shell:language.${key}`),
    checked: key === current,
    onSelect: () => void changeLanguage(key),
  }))
}

function useThemeItems(): MenuItem[] {
  const t = useT()
  const current = useThemeChoice()
  return THEME_CHOICES.map((key) => ({
    key,
    label: t(`shell:theme.${key}`),
    checked: key === current,
    onSelect: () => chooseTheme(key),
  }))
}

function useDensityItems(): MenuItem[] {
  const t = useT()
  const current = useDensity()
  return DENSITIES.map((key) => ({
    key,
    label: t(`shell:density.${key}`),
    checked: key === current,
    onSelect: () => chooseDensity(key),
  }))
}

/** Menu with the user's email address, personal settings, sign-out, appearance and row height; on phones also the language. */
function PersonalMenu({ onAbout }: { onAbout: () => void }) {
  const t = useT()
  const person = useMe()
  const subject = useSubject()
  const navigate = useNavigate()
  const languages = useLanguageItems()
  const themes = useThemeItems()
  const densities = useDensityItems()
  if (!person) return null
  const settings = personalPages(subject).map((name) => ({
    key: name,
    label: t(`shell:pages.${name}`),
    onSelect: () => void navigate(pathTo(name)),
  }))
  return (
    <MenuButton
      label={`${t('shell:header.personal')}: ${person.Email}`}
      icon={<Icon of={UserOutlined} />}
      text={person.Email}
      sections={[
        {
          key: 'settings',
          title: (
            <span className="who">
              <strong>{displayName(person)}</strong>
              <span>{person.Email}</span>
            </span>
          ),
          items: settings,
        },
        { key: 'languages', phoneOnly: true, items: languages },
        { key: 'themes', title: t('shell:header.theme'), items: themes },
        { key: 'densities', title: t('shell:header.density'), items: densities },
        {
          key: 'out',
          items: [
            { key: 'about', label: t('shell:about.title'), onSelect: onAbout },
            { key: 'signOut', label: t('shell:header.signOut'), onSelect: () => void signOut() },
          ],
        },
      ]}
    />
  )
}
