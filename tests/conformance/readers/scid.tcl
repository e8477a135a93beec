# What Scid says when it imports a file of games: tkscid scid.tcl FILE WORK (a directory)
# Its messages repeat bytes that no encoding of Tcl can write.
fconfigure stdout -encoding binary
set base [file join [lindex $argv 1] base]
sc_base create SCID4 $base
set messages [lindex [sc_base import [sc_base current] [lindex $argv 0]] 1]
foreach message [split $messages "\n"] {
    if {[string trim $message] eq ""} continue
    if {[regexp {line (\d+)} $message all line]} { puts "$line: $message" } else { puts $message }
}
sc_base close [sc_base current]
exit
