// The benched binary: its link's name says whether it does nothing, only becomes rm, or is tmx. The imports run in this order.

import "./empty.ts";
import "./become.ts";
import "../../src/main.ts";
