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
import { usePhone } from '../page/use-phone.ts'
import { nameParts } from './antd-names.ts'
import { antdTheme } from './antd-theme.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { antdLocale, loadLocale } from './locale.ts'
import { useThemeMode } from './theme-mode.ts'

const IsThere = createContext(false)

/**
 * A part of a page that may use Ant Design, with our theme and the person's language around it: once, however many such parts lie in
 * one another. The shell and the first screen are plain elements and do without the weight of it.
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
      // Always one: to come and go it would draw everything in it again, and what a person did meanwhile would be lost.
      locale={locale ?? enUS}
      componentSize="middle"
      // A space between two Chinese characters would change what the button is called.
      button={{ autoInsertSpace: false }}
      modal={dialog}
      drawer={dialog}
    >
      <IsThere value={true}>{children}</IsThere>
    </ConfigProvider>
  )
}
