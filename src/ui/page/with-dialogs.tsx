import { App } from 'antd'
import type { ComponentType } from 'react'

/** A screen that may ask over the page. The first screen asks nothing and does without the weight of it. */
export function withDialogs(Screen: ComponentType): ComponentType {
  return function WithDialogs() {
    return (
      <App component={false}>
        <Screen />
      </App>
    )
  }
}
