/** Texts of pickers and tables and date formats of Taiwan in one file: each file costs a request. */
import 'dayjs/locale/zh-tw'
export { default } from 'antd/es/locale/zh_TW'
