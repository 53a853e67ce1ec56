import { Refine } from '@refinedev/core'
import routerProvider from '@refinedev/react-router'
import { Outlet } from 'react-router'
import { accessControlProvider } from './access-control.ts'
import { queryClient } from '../data/api.ts'
import { authProvider } from './auth.ts'
import { dataProvider } from './data.ts'
import { liveProvider } from './live.ts'
import { notificationProvider } from './notification.ts'
import { i18nProvider } from './i18n.ts'
import { refineResources } from './refine-resources.ts'

/** Refine with our providers around the pages of records. Inside the router: its hooks read the address. */
export function RefineFrame() {
  return (
    <Refine
      dataProvider={dataProvider}
      authProvider={authProvider}
      accessControlProvider={accessControlProvider}
      liveProvider={liveProvider}
      i18nProvider={i18nProvider}
      notificationProvider={notificationProvider}
      routerProvider={routerProvider}
      resources={refineResources}
      options={{ disableTelemetry: true, liveMode: 'off', reactQuery: { clientConfig: queryClient } }}
    >
      <Outlet />
    </Refine>
  )
}
