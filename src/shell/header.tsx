import BellOutlined from '@ant-design/icons/BellOutlined'
import BulbOutlined from '@ant-design/icons/BulbOutlined'
import GlobalOutlined from '@ant-design/icons/GlobalOutlined'
import MenuOutlined from '@ant-design/icons/MenuOutlined'
import SearchOutlined from '@ant-design/icons/SearchOutlined'
import UserOutlined from '@ant-design/icons/UserOutlined'
import { Badge, Button, Dropdown, Select } from 'antd'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { displayName } from '../../contract/rules/display-name.ts'
import { signOut } from '../providers/auth/sign-out.ts'
import { chooseHome, useCurrentHome, useHomes } from '../providers/homes.ts'
import { changeLanguage, LANGUAGES, useLanguage, useT } from '../providers/i18n.ts'
import { useBell } from '../providers/notices.ts'
import { useMe } from '../providers/session.ts'
import { hasScreen } from '../routes.tsx'
import { pathTo, type PathName } from '../paths.ts'
import { chooseTheme, THEME_CHOICES, useThemeChoice } from '../ui/theme-mode.ts'
import { BellPanel } from './bell-panel.tsx'
import { afterHomeChoice } from './home-navigation.ts'
import { SHORTCUT } from './shortcuts.ts'

/** Header of §2: home selector, search, language, appearance, notices and the personal menu. */
export function Header({ onMenu, onSearch }: { onMenu: () => void; onSearch: () => void }) {
  const t = useT()
  return (
    <header className="shell-header">
      <Button
        className="menu-button"
        type="text"
        icon={<MenuOutlined />}
        aria-label={t('shell:menu.open')}
        onClick={onMenu}
      />
      <HomeSelector />
      <span className="spacer" />
      <Button
        type="text"
        icon={<SearchOutlined />}
        aria-label={t('shell:header.search')}
        title={t('shell:header.searchHint', { shortcut: SHORTCUT })}
        onClick={onSearch}
      />
      <Bell />
      <LanguageSwitch />
      <ThemeSwitch />
      <PersonalMenu />
    </header>
  )
}

function HomeSelector() {
  const t = useT()
  const homes = useHomes()
  const current = useCurrentHome()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  if (homes?.length === 0) return <span className="no-home">{t('shell:home.none')}</span>
  return (
    <Select
      className="home-selector"
      aria-label={t('shell:home.select')}
      placeholder={t('shell:home.select')}
      loading={!homes}
      value={current?.HomeID ?? null}
      options={homes?.map((home) => ({ value: home.HomeID, label: home.HomeName })) ?? []}
      showSearch={(homes?.length ?? 0) > 8}
      optionFilterProp="label"
      popupMatchSelectWidth={false}
      onChange={(homeId: string) => {
        chooseHome(homeId)
        void navigate(afterHomeChoice(pathname, homeId))
      }}
    />
  )
}

function Bell() {
  const t = useT()
  const notices = useBell()
  const [open, setOpen] = useState(false)
  const unread = notices.filter((notice) => !notice.read).length
  return (
    <>
      <Badge count={unread} size="small" offset={[-6, 6]}>
        <Button
          type="text"
          icon={<BellOutlined />}
          aria-label={unread > 0 ? t('shell:header.bellCount', { count: unread }) : t('shell:header.bell')}
          onClick={() => setOpen(true)}
        />
      </Badge>
      <BellPanel open={open} onClose={() => setOpen(false)} />
    </>
  )
}

function LanguageSwitch() {
  const t = useT()
  const language = useLanguage()
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: LANGUAGES.map((key) => ({ key, label: <span lang={key}>{t(`shell:language.${key}`)}</span> })),
        selectable: true,
        selectedKeys: [language],
        onClick: ({ key }) => void changeLanguage(key as (typeof LANGUAGES)[number]),
      }}
    >
      <Button
        className="wide-only"
        type="text"
        icon={<GlobalOutlined />}
        aria-label={t('shell:header.language')}
      />
    </Dropdown>
  )
}

function ThemeSwitch() {
  const t = useT()
  const choice = useThemeChoice()
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: THEME_CHOICES.map((key) => ({ key, label: t(`shell:theme.${key}`) })),
        selectable: true,
        selectedKeys: [choice],
        onClick: ({ key }) => chooseTheme(key as (typeof THEME_CHOICES)[number]),
      }}
    >
      <Button
        className="wide-only"
        type="text"
        icon={<BulbOutlined />}
        aria-label={t('shell:header.theme')}
      />
    </Dropdown>
  )
}

const PERSONAL_PAGES = [
  'ChangePassword',
  'ChangeNotificationSetting',
  'ChangeDecimalPrecisionSetting',
] as const satisfies readonly PathName[]

/** The signed-in person's address, personal settings and sign-out; on a phone also language and appearance. */
function PersonalMenu() {
  const t = useT()
  const person = useMe()
  const navigate = useNavigate()
  const language = useLanguage()
  const choice = useThemeChoice()
  if (!person) return null
  const pages = PERSONAL_PAGES.filter(hasScreen)
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        selectedKeys: [language, `theme-${choice}`],
        items: [
          {
            key: 'who',
            type: 'group',
            label: (
              <span className="who">
                <strong>{displayName(person)}</strong>
                <span>{person.Email}</span>
              </span>
            ),
          },
          ...pages.map((name) => ({ key: name, label: t(`shell:pages.${name}`) })),
          { type: 'divider' as const, className: 'phone-only' },
          ...LANGUAGES.map((key) => ({ key, className: 'phone-only', label: t(`shell:language.${key}`) })),
          { type: 'divider' as const, className: 'phone-only' },
          ...THEME_CHOICES.map((key) => ({
            key: `theme-${key}`,
            className: 'phone-only',
            label: t(`shell:theme.${key}`),
          })),
          { type: 'divider' as const },
          { key: 'signOut', label: t('shell:header.signOut') },
        ],
        onClick: ({ key }) => {
          const language = LANGUAGES.find((entry) => entry === key)
          const theme = THEME_CHOICES.find((entry) => `theme-${entry}` === key)
          if (key === 'signOut') void signOut()
          else if (language) void changeLanguage(language)
          else if (theme) chooseTheme(theme)
          else void navigate(pathTo(key as PathName))
        },
      }}
    >
      <Button
        type="text"
        icon={<UserOutlined />}
        aria-label={`${t('shell:header.personal')} ${person.Email}`}
      >
        <span className="address">{person.Email}</span>
      </Button>
    </Dropdown>
  )
}
