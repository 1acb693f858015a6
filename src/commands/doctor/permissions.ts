// Permission bits of st_mode that doctor looks at (inode(7)).

import type { Identity } from "../../sys/system.ts";

const S_IRWXG_IRWXO = 0o077;
const S_IWGRP_IWOTH = 0o022;
const S_ISVTX = 0o1000;

/** Whether group or others may write. */
export const othersWrite = ({ mode }: Identity): boolean => (mode & S_IWGRP_IWOTH) !== 0;

/** Whether group or others may do anything. */
export const othersEnter = ({ mode }: Identity): boolean => (mode & S_IRWXG_IRWXO) !== 0;

/** Whether those who may write into a directory are kept from each other's files there. */
export const isSticky = ({ mode }: Identity): boolean => (mode & S_ISVTX) !== 0;
