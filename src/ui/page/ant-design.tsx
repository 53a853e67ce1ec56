import '@ant-design/v5-patch-for-react-19'
import { ConfigProvider } from 'antd'
import enUS from 'antd/es/locale/en_US'
import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  type ComponentType,
  type ReactNode,
} from 'react'
import { useStore } from '../../lib/store.ts'
import { usePhone } from './use-screen.ts'
import { nameParts } from '../theme/antd-names.ts'
import { antdTheme } from '../theme/antd-theme.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { antdLocale, loadLocale } from '../theme/locale.ts'
import { useThemeMode } from '../theme/theme-mode.ts'

const IsThere = createContext(false)

/**
 * Wraps a part of a page in Ant Design with our theme and the user's language; nested parts are wrapped once. The shell and the first
 * screen are plain elements, to avoid its size.
 */
export function withAntDesign<Props extends object>(Part: ComponentType<Props>): ComponentType<Props> {
  return function WithAntDesign(props: Props) {
    const part = <Part {...props} />
    return useContext(IsThere) ? part : <AntDesign>{part}</AntDesign>
  }
}

function AntDesign({ children }: { children: ReactNode }) {
  const mode = useThemeMode()
  const phone = usePhone()
  const locale = useStore(antdLocale)
  const language = useLanguage()
  useEffect(() => void loadLocale(language), [language])
  const t = useT()
  useLayoutEffect(() => nameParts(t), [t])
  const dialog = useMemo(() => ({ closable: { 'aria-label': t('shell:close') } }), [t])
  return (
    <ConfigProvider
      theme={antdTheme(mode, phone)}
      // Always a locale: adding or removing it would remount all children, and lose the user's input.
      locale={locale ?? enUS}
      componentSize="middle"
      // A space between two Chinese characters would change the accessible name of the button.
      button={{ autoInsertSpace: false }}
      // Fields are required unless their label says that they are optional.
      form={{ requiredMark: false }}
      modal={dialog}
      drawer={dialog}
    >
      <IsThere value={true}>{children}</IsThere>
    </ConfigProvider>
  )
}
