/** What pickers and tables say and how dates are written in Taiwan, in one file: each costs a request. */
import 'dayjs/locale/zh-tw'
export { default } from 'antd/es/locale/zh_TW'
