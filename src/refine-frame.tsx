import { Refine } from '@refinedev/core'
import routerProvider from '@refinedev/react-router'
import { Outlet } from 'react-router'
import { accessControlProvider } from './providers/access-control.ts'
import { queryClient } from './providers/api.ts'
import { authProvider } from './providers/auth/auth-provider.ts'
import { dataProvider } from './providers/data.ts'
import { liveProvider } from './providers/live/refine-live.ts'
import { notificationProvider } from './providers/notification.ts'
import { i18nProvider } from './providers/refine-i18n.ts'
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
